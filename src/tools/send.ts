import { describe, int, optional, positive, strictObject, string } from "zod/mini";
import { send } from "../chat/send.ts";
import { sendEcho } from "../text/echo.ts";
import { sendReceipt } from "../text/receipts.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({
  to: string().check(describe("Name or session id, as listed")),
  body: string().check(describe("The message, at most 64 KB; it is delivered to the byte")),
  reply_to: optional(int().check(positive(), describe("The #id this answers"))),
});

/** Writes to one session. */
export const sendTool: ChatTool<typeof schema> = {
  verb: "send",
  title: "Send a message",
  description: () =>
    "Send a message to one other session's inbox; it is woken if idle. Use it when that session has what you need or must know " +
    "something, instead of asking the user to relay. Say what you need and why: it knows nothing of your talk. Not for thanks or acknowledgements, " +
    "which need no reply. The answer comes later: do not wait for it.",
  schema,
  async run({ chat, sessionId }, input) {
    const receipt = await send(chat, {
      senderId: sessionId,
      to: input.to,
      body: input.body,
      replyTo: input.reply_to ?? null,
    });
    const { message, sender, recipient, outlook } = receipt;
    return {
      text: sendReceipt(message, sender, recipient, outlook),
      echo: sendEcho(sender.name, recipient.name, message.id, message.body),
    };
  },
};
