import type { ToolNaming } from "./verbs.ts";

/** The line by which a model reports that it cleared its desk. */
export const EXIT_READY = "THATCH-EXIT-READY";

/** What the exit command asks of the model. */
export function exitPrompt(tool: ToolNaming): string {
  return [
    "The user wants to close this session. Clear your desk first:",
    `1. Call ${tool("read")} until nothing is unread, and answer what was asked of you, or say that you cannot.`,
    `2. If another session waits for something from you, tell it with ${tool("send")} how far you came and that you leave.`,
    "3. If work is unsaved or half done, tell the user what, and stop here: the session stays open and in the directory.",
    `4. Otherwise call ${tool("unregister")}, and write as your last line, alone: ${EXIT_READY}`,
  ].join("\n");
}

/** Whether the model's closing words report that it is done. */
export function reportsExitReady(text: string): boolean {
  return text.trimEnd().split("\n").at(-1)?.trim() === EXIT_READY;
}

/** What the person reads when the model did not report that it is done. */
export function exitRefused(): string {
  return "The session is not done, so it stays open: see its answer.";
}

/** What the person reads when the session left but its terminal belongs to a server. */
export function exitServed(): string {
  return "The session left the chat directory. Close this terminal when you like.";
}

/** What the person reads when the session left but another one of its terminal is at work. */
export function exitOthersAtWork(): string {
  return "The session left the chat directory. The terminal stays open, since another session in it is at work: close it when that is done.";
}

/** What the person reads when the model's answer to the exit command cannot be read. */
export function exitUnread(): string {
  return "Whether the session is done cannot be read, so it stays open. Run /thatch/exit again, or close it yourself.";
}

/** What the transcript shows where the exit command was given. */
export function exitBubble(): string {
  return "[chat] Clearing the desk before this session closes";
}
