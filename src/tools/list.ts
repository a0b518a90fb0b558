import { strictObject } from "zod/mini";
import { list } from "../chat/list.ts";
import { rosterText } from "../text/roster.ts";
import type { ChatTool } from "./tool.ts";

const schema = strictObject({});

/** Shows the directory. */
export const listTool: ChatTool<typeof schema> = {
  verb: "list",
  title: "List the sessions",
  description: () =>
    "List the other AI sessions on this machine: name, topic, project, whether mail wakes them (reach: wakes, turn, polls), and which " +
    "are stale. Use it to find whom to ask. Not for watching or waiting.",
  schema,
  async run({ chat, sessionId, toolName }) {
    return { text: rosterText(await list(chat), sessionId, toolName) };
  },
};
