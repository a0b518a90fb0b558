/** The chat tools, by what they do. */
export type Verb = "register" | "list" | "send" | "read" | "unregister" | "broadcast" | "status";

/** How the host that speaks names its tools, such as `send` to `thatch_chat_send`. */
export type ToolNaming = (verb: Verb) => string;

/** The names that an MCP server gives the tools; its host puts its own prefix before them. */
export const mcpToolName: ToolNaming = (verb) => `chat_${verb}`;
