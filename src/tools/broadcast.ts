import { describe, strictObject, string } from "zod/mini";
import { broadcast } from "../chat/broadcast.ts";
import { broadcastEcho } from "../text/echo.ts";
import { broadcastReceipt } from "../text/receipts.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({ body: string().check(describe("The message, at most 64 KB")) });

/** Writes to every active session. */
export const broadcastTool: ChatTool<typeof schema> = {
  verb: "broadcast",
  title: "Send to every session",
  description: (tool) =>
    "Send one message to every other active session. It costs each of them a turn: use it only when all must know, or " +
    `when ${tool("list")} does not show whom to ask. Stale sessions are skipped and named. Otherwise use ${tool("send")}.`,
  schema,
  async run({ chat, sessionId }, input) {
    const { sender, copies, skipped } = await broadcast(chat, { senderId: sessionId, body: input.body });
    const text = broadcastReceipt(copies, skipped);
    return copies.length === 0 ? { text } : { text, echo: broadcastEcho(sender.name, copies.length, input.body) };
  },
};
