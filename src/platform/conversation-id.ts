/** Hex digits of the hash that are kept: 48 bits tell the conversations of one machine apart. */
const DIGITS = 12;

/** The id under which the directory knows the conversation of a host that speaks MCP. */
export function conversationId(hostSessionId: string): string {
  return `mcp_${new Bun.CryptoHasher("sha256").update(hostSessionId).digest("hex").slice(0, DIGITS)}`;
}
