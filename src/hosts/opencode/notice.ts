import type { Hooks } from "@opencode-ai/plugin";
import { midTurnNotice } from "../../text/mail.ts";
import { toolName } from "./naming.ts";
import type { Runtime } from "./runtime.ts";

type AfterTool = NonNullable<Hooks["tool.execute.after"]>;

/** Tells a running turn of new mail in a line under a tool's result, once a message. It starts no turn and delivers nothing. */
export async function noticeMail(runtime: Runtime, ...[input, output]: Parameters<AfterTool>): Promise<void> {
  const session = runtime.hosted.get(input.sessionID);
  if (!session || session.name === null) return;
  const append = appender(output);
  if (append === null) return;
  const config = runtime.config();
  if (!config.enabled || !config.midTurn) return;
  const notice = await runtime.chat.store.notice(session.id, runtime.chat.clock.now());
  if (notice !== null) append(midTurnNotice(notice, toolName));
}

/** A way to add a line to a result: opencode's own tools have a text, MCP tools a list of content parts. */
function appender(result: { output?: unknown; content?: unknown }): ((line: string) => void) | null {
  const { output, content } = result;
  if (typeof output === "string") {
    return (line) => {
      result.output = output === "" ? line : `${output}\n\n${line}`;
    };
  }
  return Array.isArray(content) ? (text) => void content.push({ type: "text", text }) : null;
}
