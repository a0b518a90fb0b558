import type { ChatFailure } from "../core/errors.ts";
import { counted } from "./phrases.ts";

/** What the command line says of its commands and flags. */
export const BRIEF = {
  thatch: "Lets the AI coding sessions on one machine see each other and write to each other.",
  chat: "Watch what the sessions say; nothing here writes.",
  list: "Show who is in the directory.",
  listStale: "show stale sessions last seen within that many days, or all of them; 1 unless given",
  listJson: "print one JSON object a session, stale ones too",
  tail: "Print messages and readings as JSON, one event a line, and follow.",
  tailLines: "begin with the last N messages, or with all; 20 unless given",
  tailFollow: "wait for new events",
  tailGrep: "only messages whose body matches RE (RE2 syntax); several have to match all",
  tailWith: "only messages from or to a session whose name contains NAME",
  tailFrom: "only messages from a session whose name contains NAME",
  tailTo: "only messages to a session whose name contains NAME",
  tailSince: "only messages sent at T or later: ISO 8601, or an age such as 90s, 15m, 2h, 3d",
  tailUntil: "only messages sent before T, given like that of --since",
  mcp: "Serve the chat tools to an MCP client on standard input and output.",
  hook: "Answer one hook event of a host, given as JSON on standard input.",
  hookHost: "claude-code",
  setup: "Put thatch into a host's settings, or take it out.",
  setupClaudeCode: "Set up Claude Code: MCP server, hooks, and a note in CLAUDE.md.",
  setupOpencode: "Set up opencode: the plugin's entry in its config.",
  setupGlobal: "for every project, not only for this folder",
  setupDryRun: "say what would change, and change nothing",
  setupRemove: "take out what setup put in",
  setupAllowTools: "also allow the chat tools without asking",
  doctor: "Check that everything thatch needs is in place, and say how to mend what is not.",
  doctorJson: "print one JSON object a check",
  completion: "Print a script that completes thatch's commands in your shell.",
  completionShell: "bash, zsh or fish",
  propose: "Print what could come next on a command line.",
} as const;

/** Said below every fault of usage. */
export const SEE_HELP = "Every command explains itself with --help.";

/** What is wrong with the store, for the person at the terminal. */
export function storeFault(failure: ChatFailure): string {
  switch (failure.code) {
    case "store-busy":
      return `The database ${failure.file} stayed locked for ${Math.round(failure.waitedMs / 100) / 10} s by another process. Try again in a moment.`;
    case "store-unavailable":
      return `The database ${failure.file} cannot be used: ${failure.reason}. "thatch doctor" looks closer.`;
    case "store-too-new":
      return `The database ${failure.file} has schema ${failure.found}, newer than this thatch knows (${failure.supported}). Update thatch.`;
    default:
      return `${failure.code}: ${JSON.stringify(failure)}`;
  }
}

const HOW_TO_JOIN = "Sessions join by themselves at their first prompt, in opencode with thatch's plugin.";

export function emptyRoster(databaseFile: string, exists: boolean): string {
  const directory = exists
    ? `No session is registered in ${databaseFile}.`
    : `There is no database yet: ${databaseFile} is made when the first session joins.`;
  return `${directory}\n${HOW_TO_JOIN} "thatch doctor" checks the set-up.`;
}

export function activeHeading(count: number): string {
  return `Active (${count})`;
}

export function staleHeading(count: number): string {
  return `Stale (${count}): no running process hosts them; mail waits until they are opened again`;
}

export function hiddenStale(count: number, days: number): string {
  return `${counted(count, "more session")} stale for over ${counted(days, "day")}: --stale all shows ${count === 1 ? "it" : "them"}.`;
}

export function wrongDays(given: string): string {
  return `${JSON.stringify(given)} is neither a number of days nor "all"`;
}

export function wrongCount(given: string): string {
  return `${JSON.stringify(given)} is neither a whole number of messages nor "all"`;
}

export function wrongWhen(given: string): string {
  return `${JSON.stringify(given)} is neither ISO 8601 (2026-01-31, 2026-01-31T09:30, 2026-01-31T09:30:00Z) nor an age (90s, 15m, 2h, 3d)`;
}

export function wrongPattern(given: string, reason: string): string {
  return `${JSON.stringify(given)} is no regular expression of RE2 (${reason})`;
}

export function wrongShell(given: string): string {
  return `${JSON.stringify(given)} is none of bash, zsh and fish`;
}

export function emptyWindow(since: string, until: string): string {
  return `--since ${since} is not before --until ${until}: no message can be in between.`;
}

export function unwritable(reason: string): string {
  return `The output cannot be written (${reason}).`;
}

export function waitingForDatabase(file: string): string {
  return `There is no database yet at ${file}; waiting for it.`;
}

export function noDatabase(file: string): string {
  return `There is no database yet at ${file}: no message was ever sent.`;
}

export function databaseReplaced(file: string): string {
  return `${file} is another database now; all its messages count as new.`;
}

export function stillFollowing(fault: string): string {
  return `${fault} Still following.`;
}
