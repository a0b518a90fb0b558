import type { Hooks } from "@opencode-ai/plugin";
import { leave } from "../../chat/leave.ts";
import type { MessagePart } from "../../core/echo-parts.ts";
import { exitBubble, exitPrompt, exitRefused, exitServed, reportsExitReady } from "../../text/exit.ts";
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

/** Remembers that the session is to close, and shows the person one line in place of the instructions. */
export function beginExit(session: HostedSession | undefined, parts: MessagePart[]): void {
  if (session) session.exiting = true;
  for (const part of parts) if (part.type === "text") Object.assign(part, { synthetic: true });
  parts.push({ type: "text", text: exitBubble(), ignored: true });
}

/**
 * Ends what the exit command began, once its turn is over: when the model reports that its desk is clear, the session leaves
 * the directory and the terminal closes. Otherwise it stays, and the person is told.
 */
export async function finishExit(runtime: Runtime, session: HostedSession): Promise<void> {
  session.exiting = false;
  const client = session.instance?.client;
  if (!client) return;
  const transcript = await client.transcript(session.id, TRANSCRIPT_LOOKBACK);
  const command = transcript.findLastIndex((message) => message.parts.some((part) => part.text === exitBubble()));
  const answer = transcript.slice(command + 1).findLast((message) => message.role === "assistant");
  const text =
    answer?.parts
      .filter((part) => part.type === "text")
      .map((part) => part.text ?? "")
      .join("\n") ?? "";
  if (!reportsExitReady(text)) {
    await client.toast(exitRefused(), "warning");
    return;
  }
  await leave(runtime.chat, session.id);
  session.name = null;
  // A server has no terminal of its own to end: the event would close every terminal attached to it.
  if (runtime.mode === "serve") await client.toast(exitServed(), "info");
  else await client.exitTerminal();
}
