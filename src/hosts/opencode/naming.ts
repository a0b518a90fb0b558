import type { ToolNaming } from "../../text/verbs.ts";

/** opencode's names of the chat tools. */
export const toolName: ToolNaming = (verb) => `thatch_chat_${verb}`;
