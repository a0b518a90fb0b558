/** What CLAUDE.md tells the model between thatch's markers. */
export function claudeBlock(): string {
  return [
    "## Other sessions on this machine",
    "",
    "The chat tools of the `thatch` MCP server reach the other AI coding sessions on this machine. `chat_list` shows them,",
    "`chat_send` writes to one by its name, `chat_read` shows what they wrote to this session. Mail that is announced waits",
    "until it is read with `chat_read`.",
  ].join("\n");
}
