import { strictObject } from "zod/mini";
import { leave } from "../chat/leave.ts";
import { status } from "../chat/status.ts";
import { left } from "../text/receipts.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({});

/** Leaves the directory. */
export const unregisterTool: ChatTool<typeof schema> = {
  verb: "unregister",
  title: "Leave the chat directory",
  description: (tool) =>
    "Leave the directory: others no longer see you or write to you, and nothing wakes you, until you call " +
    `${tool("register")}. Only when the user wants it, or the session is closing; read your mail first.`,
  schema,
  async run({ chat, sessionId, toolName }) {
    // Counted first: were it to fail after the leave, the answer would say that nothing happened.
    const { mailbox } = await status(chat, sessionId);
    const session = await leave(chat, sessionId);
    return { text: left(session, mailbox.unread, toolName), membership: null };
  },
};
