import type { Hooks } from "@opencode-ai/plugin";
import { systemSection } from "../../text/system-section.ts";
import { toolName } from "./naming.ts";
import type { Runtime } from "./runtime.ts";

type SystemTransform = NonNullable<Hooks["experimental.chat.system.transform"]>;

/** How the instructions of opencode's own agents for titles and summaries begin, which answer no user. */
const OWN_AGENTS = /^You are (a title generator|an? (anchored )?context summarization)/;

/** Adds the chat section to the system prompt of a session that may have a mailbox. */
export function addSystemSection(runtime: Runtime, ...[input, output]: Parameters<SystemTransform>): void {
  if (input.sessionID === undefined) return;
  const session = runtime.hosted.get(input.sessionID);
  if (!session || !runtime.config().enabled) return;
  if (output.system.some((text) => OWN_AGENTS.test(text))) return;
  output.system.push(systemSection(session.name, toolName));
}
