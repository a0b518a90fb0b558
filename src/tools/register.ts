import { strictObject } from "zod/mini";
import { registerExplicitly } from "../chat/register.ts";
import { registerEcho } from "../text/echo.ts";
import { registered } from "../text/receipts.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({});

/** Joins the directory, or tells the name the session has. */
export const registerTool: ChatTool<typeof schema> = {
  verb: "register",
  title: "Join the chat directory",
  description: () =>
    "Join the directory of AI sessions on this machine under an assigned name, or see the name you have. Sessions join by themselves: " +
    "call this only to rejoin after leaving, or when a chat tool says you are not registered. Not for sub-agents.",
  schema,
  async run({ chat, describe, toolName }) {
    const { session, created } = await registerExplicitly(chat, await describe());
    const text = registered(session, created, toolName);
    return { text, membership: session, ...(created ? { echo: registerEcho(session.name) } : {}) };
  },
};
