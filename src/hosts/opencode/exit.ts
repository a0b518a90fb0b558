import type { Hooks } from "@opencode-ai/plugin";
import { leave } from "../../chat/leave.ts";
import type { MessagePart } from "../../core/echo-parts.ts";
import {
  exitBubble,
  exitOthersAtWork,
  exitPrompt,
  exitRefused,
  exitServed,
  exitUnread,
  reportsExitReady,
} from "../../text/exit.ts";
import type { HostClient } from "./client.ts";
import { contained } from "./contained.ts";
import type { HostedSession } from "./hosted.ts";
import { toolName } from "./naming.ts";
import type { Runtime } from "./runtime.ts";

/** The command by which a person closes a session that first clears its desk. */
export const EXIT_COMMAND = "thatch/exit";

/** How far back the exit turn's answer is looked for. */
const TRANSCRIPT_LOOKBACK = 100;

type HostConfig = Parameters<NonNullable<Hooks["config"]>>[0];

/** Adds the exit command, unless the person has one of that name. */
export function addExitCommand(config: HostConfig): void {
  config.command ??= {};
  config.command[EXIT_COMMAND] ??= {
    template: exitPrompt(toolName),
    description: "Read and answer the session's mail, leave the chat directory, and close",
  };
}

/**
 * Remembers that the session is to close, hosted or not, and shows the person one line in place of the instructions.
 */
export function beginExit(runtime: Runtime, sessionId: string, parts: MessagePart[]): void {
  runtime.hosted.beginExit(sessionId);
  for (const part of parts) if (part.type === "text") Object.assign(part, { synthetic: true });
  parts.push({ type: "text", text: exitBubble(), ignored: true });
}

/**
 * Ends what the exit command began, once its turn is over: when the model reports that its desk is clear, the session leaves
 * the directory and the terminal closes, whatever the store does. Otherwise it stays, and the person is told. Returns whether it left.
 * Never rejects: what fails is logged.
 */
export async function finishExit(runtime: Runtime, session: HostedSession): Promise<boolean> {
  const client = session.instance?.client;
  if (!client) return false;
  const tell = (text: string, variant: "info" | "warning") =>
    contained(runtime.log, "exit", () => client.toast(text, variant))();
  let ready: boolean;
  try {
    ready = await reportedReady(client, session.id);
  } catch (error) {
    runtime.log("exit", `the answer of ${session.id} to the exit command cannot be read; it stays open`, error);
    await tell(exitUnread(), "warning");
    return false;
  }
  if (!ready) {
    await tell(exitRefused(), "warning");
    return false;
  }
  await contained(runtime.log, "exit", async () => {
    if (runtime.config().enabled) await leave(runtime.chat, session.id);
    session.name = null;
  })();
  // A server has no terminal of its own to end: the event would close every terminal attached to it.
  if (runtime.mode === "serve") await tell(exitServed(), "info");
  else if (othersAtWork(runtime, session)) await tell(exitOthersAtWork(), "warning");
  else await contained(runtime.log, "exit", () => client.exitTerminal())();
  return true;
}

/** Whether the model's last words behind the exit command report that it is done. */
async function reportedReady(client: HostClient, sessionId: string): Promise<boolean> {
  const transcript = await client.transcript(sessionId, TRANSCRIPT_LOOKBACK);
  const command = transcript.findLastIndex((message) => message.parts.some((part) => part.text === exitBubble()));
  const answer = transcript.slice(command + 1).findLast((message) => message.role === "assistant");
  const texts = answer?.parts.filter((part) => part.type === "text").map((part) => part.text ?? "") ?? [];
  return reportsExitReady(texts.join("\n"));
}

/** Whether the terminal holds another session whose turn would end with it. */
function othersAtWork(runtime: Runtime, session: HostedSession): boolean {
  const others = runtime.hosted.all().filter((other) => other !== session);
  return others.some(({ turn }) => turn.state === "running" || turn.state === "expected");
}
