import { strictObject } from "zod/mini";
import { status } from "../chat/status.ts";
import { statusLine } from "../text/receipts.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({});

/** The quiet check. */
export const statusTool: ChatTool<typeof schema> = {
  verb: "status",
  title: "Your name and mailbox",
  description: () =>
    "See whether you are registered, under which name, and how many messages are unread. Changes nothing. Not for watching or waiting.",
  schema,
  async run({ chat, sessionId, toolName }) {
    const { session, mailbox } = await status(chat, sessionId);
    return { text: statusLine(session, mailbox.unread, mailbox.total, toolName) };
  },
};
