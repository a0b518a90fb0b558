import { BUN_FLAGS, type Installation } from "./installation.ts";
import type { EntrySet } from "./json-entries.ts";
import { isRecord } from "./json-source.ts";

/** The name of the MCP server, and so the prefix of its tools. */
export const SERVER = "thatch";

/** The server's entry in a host's file of `mcpServers`. */
export function serverEntries({ root, bun }: Installation): EntrySet {
  const value = { type: "stdio", command: bun, args: [...BUN_FLAGS, `${root}/dist/mcp.js`], env: {} };
  return {
    entries: [{ path: ["mcpServers", SERVER], value, element: false }],
    isOurs: (path, found) => path.join("/") === `mcpServers/${SERVER}` && isOurServer(found),
  };
}

/** The entry of a thatch server, this one or another. */
export function isOurServer(found: unknown): boolean {
  if (!isRecord(found) || !Array.isArray(found.args)) return false;
  const command = [found.command, ...found.args].map(String);
  const last = command.at(-1) ?? "";
  if (/[\\/]dist[\\/]mcp\.js$/.test(last)) return true;
  // Written by hand, as the documents show it.
  return last === "mcp" && command.some((part) => /(^|[\\/])thatch$/.test(part));
}
