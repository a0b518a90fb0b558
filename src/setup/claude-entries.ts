import { hookCommand, isThatchHook } from "./hook-command.ts";
import type { Installation } from "./installation.ts";
import type { Entry, EntrySet } from "./json-entries.ts";
import { isRecord, type Json, type JsonPath } from "./json-source.ts";
import { SERVER } from "./server-entry.ts";

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

/** What Claude Code shows the person where a wake begins. */
const REWAKE_SUMMARY = "thatch: mail from another session";

/** The hooks and, when asked for, the allow rules in a `settings.json`. */
export function settingsEntries(installation: Installation, allowTools: boolean): EntrySet {
  const hooks = EVENTS.map(({ event, matcher, asyncRewake }): Entry => {
    const hook: Json = {
      type: "command",
      command: hookCommand(installation, "claude-code"),
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
  return isThatchHook(found, "claude-code");
}
