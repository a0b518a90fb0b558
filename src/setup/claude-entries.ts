import type { Entry, EntrySet } from "./json-entries.ts";
import type { Json, JsonPath } from "./json-source.ts";

/** Where this thatch stands; absolute paths of files that exist. */
export type Installation = { readonly root: string; readonly bun: string };

/** The name of the MCP server, and so the prefix of its tools. */
const SERVER = "thatch";
const CHAT_TOOLS = "mcp__thatch__.*|mcp__plugin_thatch_thatch__.*";
const VERBS = ["register", "list", "send", "read", "unregister", "broadcast", "status"];

/** Seconds until Claude Code ends a hook. Ours give up on a locked database after one; SessionEnd hooks share 1.5 anyway. */
const HOOK_TIMEOUT_S = 10;

const EVENTS: readonly { event: string; matcher?: string; asyncRewake?: true }[] = [
  { event: "SessionStart" },
  { event: "UserPromptSubmit" },
  { event: "Stop" },
  { event: "SessionEnd" },
  { event: "FileChanged", asyncRewake: true },
  { event: "PreToolUse", matcher: CHAT_TOOLS },
  { event: "PostToolBatch" },
  { event: "Notification", matcher: "idle_prompt" },
];

/**
 * Claude Code reports a hook whose program is gone at every event (an ENOENT, and "stop hook problem" at each turn end).
 * So a shell looks first, and becomes Bun by `exec`: the hook stays a direct child of claude.
 */
const IF_PRESENT = '[ -x "$0" ] && [ -r "$1" ] || exit 0; exec "$0" "$@"';

/** The server's entry in `.mcp.json` or the user's `.claude.json`. */
export function serverEntries({ root, bun }: Installation): EntrySet {
  const value = { type: "stdio", command: bun, args: [`${root}/dist/mcp.js`], env: {} };
  return {
    entries: [{ path: ["mcpServers", SERVER], value, element: false }],
    isOurs: (path, found) => path.join("/") === `mcpServers/${SERVER}` && isOurServer(found),
  };
}

/** What Claude Code shows the person where a wake begins. */
const REWAKE_SUMMARY = "thatch: mail from another session";

/** The hooks and, when asked for, the allow rules in a `settings.json`. */
export function settingsEntries({ root, bun }: Installation, allowTools: boolean): EntrySet {
  const hooks = EVENTS.map(({ event, matcher, asyncRewake }): Entry => {
    const hook: Json = {
      type: "command",
      command: "/bin/sh",
      args: ["-c", IF_PRESENT, bun, `${root}/dist/hook.js`, "claude-code"],
      timeout: HOOK_TIMEOUT_S,
      ...(asyncRewake === undefined ? {} : { asyncRewake, rewakeSummary: REWAKE_SUMMARY }),
    };
    const value: Json = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
    return { path: ["hooks", event], value, element: true };
  });
  const rules = VERBS.map(
    (verb): Entry => ({ path: ["permissions", "allow"], value: `mcp__${SERVER}__chat_${verb}`, element: true }),
  );
  const values = new Set<unknown>(rules.map(({ value }) => value));
  return {
    entries: [...hooks, ...(allowTools ? rules : [])],
    isOurs: (path, found) => isOurHook(path, found) || (isRulePath(path) && values.has(found)),
    isShared: isRulePath,
  };
}

function isRulePath(path: JsonPath): boolean {
  return path.length === 3 && path[0] === "permissions" && path[1] === "allow";
}

/** A group of hooks that are all thatch's, or thatch's hook in somebody's group. */
function isOurHook(path: JsonPath, found: unknown): boolean {
  if (path[0] !== "hooks") return false;
  if (path.length === 5 && path[3] === "hooks") return isHookCommand(found);
  if (path.length !== 3 || !isRecord(found) || !Array.isArray(found.hooks)) return false;
  return found.hooks.length > 0 && found.hooks.every(isHookCommand);
}

/** Also true for a thatch in another folder: its entries are replaced, not doubled. */
export function isHookCommand(found: unknown): boolean {
  if (!isRecord(found)) return false;
  const args = Array.isArray(found.args) ? found.args : [];
  return args.at(-1) === "claude-code" && args.some((arg) => /[\\/]dist[\\/]hook\.js$/.test(String(arg)));
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
