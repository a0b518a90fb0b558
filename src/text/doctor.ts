import { counted, nameList } from "./phrases.ts";

/** The subjects of the report, one a part of thatch or a program beside it. */
export const SUBJECT = {
  bun: "Bun",
  thatch: "thatch",
  settings: "settings",
  config: "config",
  database: "database",
  opencode: "opencode",
  claudeCode: "Claude Code",
  sessions: "sessions",
} as const;

/** What `thatch doctor` finds, and how each thing is mended. */
export const FINDING = {
  bun: (version: string, path: string) => `${version} (${path})`,
  oldBun: (version: string, wanted: string) => `${version} is older than ${wanted}, which thatch is tested with`,
  oldBunFix: (root: string) => `Run "npm run setup" in ${root}; it brings its own Bun.`,
  thatch: (version: string, root: string) => `${version} in ${root}`,
  otherThatch: (paths: readonly string[], first: boolean) =>
    `another program called thatch is in PATH: ${paths.join(", ")}${first ? '; it is the one that "thatch" starts' : ""}`,
  otherThatchFix: (own: string) => `Start this one as ${own}, or put its folder before the other's in PATH.`,
  settingFix: "Give it a positive number, or unset it.",

  defaults: (file: string) => `${file} does not exist: the defaults hold`,
  configured: (file: string) => `${file} is read`,
  configFix: "Correct the file; until then the default stands.",
  chatOff: (file: string) => `chat is off: "chat": {"enabled": false} in ${file}`,
  chatOffFix: "Set it to true; it counts at once.",

  noDatabase: (file: string) => `${file} does not exist yet; the first session to join makes it`,
  noLog: (folder: string, reason: string) => `no database can be made in ${folder}: ${reason}`,
  noLogFix: "Make the folder writable, or set THATCH_DB_PATH to a file on a local file system.",
  locked: (file: string) => `${file} is locked by another process`,
  lockedFix:
    "thatch's own locks last milliseconds. Look for a database browser or a backup: fuser or lsof name the process.",
  unreadable: (file: string, reason: string) => `${file} cannot be read: ${reason}`,
  unreadableFix: (file: string) =>
    `thatch never replaces it. If it is damaged, close the hosts and move ${file} with its -wal and -shm aside; a new one is made.`,
  foreign: (file: string) => `${file} is a database of another program`,
  foreignFix: "Set THATCH_DB_PATH to another file.",
  newSchema: (file: string, found: number, supported: number) =>
    `${file} has schema ${found}, newer than this thatch knows (${supported})`,
  newSchemaFix: "Update this thatch.",
  oldSchema: (file: string, found: number, supported: number) =>
    `${file} has schema ${found}; it becomes ${supported} when this thatch next opens it`,
  damaged: (file: string, fault: string) => `${file} is damaged: ${fault}`,
  noWal: (file: string, mode: string) => `${file} has the journal mode ${mode}, not a write-ahead log`,
  database: (file: string, size: string, schema: number) =>
    `${file}, ${size}, schema ${schema}, write-ahead log, no damage found`,
  open: (paths: readonly string[]) => `other users may look into ${paths.join(", ")}`,
  openFix: (commands: readonly string[]) => `Run: ${commands.join("; ")}`,
  sharedFolder: (folder: string) => `other users may write into ${folder}, where the database is`,
  sharedFolderFix: "Give the database a folder of its own: close the hosts, move it, and set THATCH_DB_PATH.",
  closed: "only you may read the messages",

  notInstalled: (program: string) => `no ${program} is in PATH`,
  version: (version: string, path: string) => `${version} (${path})`,
  silent: (path: string, reason: string) => `${path} --version failed: ${reason}`,
  silentFix: (program: string) => `Run it yourself; reinstall ${program} if it does not start.`,
  noEntry: (files: readonly string[]) =>
    files.length === 0
      ? "opencode has no config file yet, so thatch's plugin is in none"
      : `thatch's plugin is in none of ${files.join(", ")}`,
  noEntryFix: (file: string, root: string) => `Add "plugin": ["file://${root}"] to ${file}.`,
  badConfig: (file: string, reason: string) => `${file} cannot be read: ${reason}`,
  badConfigFix: "opencode cannot read it either: correct it.",
  missingPlugin: (entry: string, file: string) => `${entry}, named in ${file}, does not exist`,
  missingPluginFix: (root: string) => `Correct the path, or remove the entry. This thatch is file://${root}.`,
  deadPlugin: (entry: string, reason: string) => `the plugin ${entry} does not load: ${reason}`,
  deadPluginFix: (root: string) => `Run "npm run setup" in ${root}.`,
  plugin: (entry: string, file: string) => `the plugin ${entry} loads (named in ${file})`,
  packagePlugin: (entry: string, file: string) => `${file} names the package ${entry}; opencode installs it itself`,
  otherPlugin: (entry: string, version: string, own: string) =>
    `the plugin ${entry} is thatch ${version}, this is ${own}`,
  otherPluginFix: "Use one version for both, and restart opencode.",
  severalEntries: (entries: readonly string[]) =>
    `thatch's plugin is named ${entries.length} times: ${entries.join(", ")}`,
  severalEntriesFix: "Keep one. They do not deliver twice, but only one of them is needed.",
  active: (count: number, host: string) =>
    count === 0
      ? `no ${host} session is active now`
      : `${counted(count, `${host} session`)} ${count === 1 ? "is" : "are"} active now`,

  claudeUnread: (reason: string) => `its settings cannot be looked at: ${reason}`,
  claudeUnreadFix: "Claude Code cannot read that file either: correct it.",
  claudeNone: (part: "server" | "hooks") =>
    part === "server" ? "thatch's MCP server is in none of its settings" : "thatch's hooks are in none of its settings",
  claudeNoneFix: 'Run "thatch setup claude-code", with --global for every project.',
  claudeCurrent: (part: "server" | "hooks", file: string) =>
    part === "server" ? `the MCP server answers (named in ${file})` : `the hooks run (named in ${file})`,
  claudeOther: (part: "server" | "hooks", file: string) =>
    `${part === "server" ? "the MCP server" : "the hooks"} in ${file} ${part === "server" ? "is" : "are"} of another thatch, another Bun or an older set-up`,
  claudeOtherFix: 'Run "thatch setup claude-code" again, with --global if that is the user\'s file.',
  claudeDead: (part: "server" | "hooks", file: string, reason: string) =>
    `${part === "server" ? "the MCP server does not answer" : "the hooks do not run"} (named in ${file}): ${reason}`,
  claudeTwice: (part: "server" | "hooks", files: readonly string[]) =>
    `thatch's ${part} stand in both ${files.join(" and ")}`,
  claudeTwiceFix: 'Keep one: "thatch setup claude-code --remove", with or without --global.',

  noHost: "neither opencode nor claude is in PATH: nothing here could chat",
  noHostFix: "Install one of them, or run this where it is in PATH.",

  native: (version: string) =>
    `${version} has ListAgents and SendMessage of its own: they reach Claude Code sessions only, and keep nothing`,

  nobody: "no session is registered",
  roster: (active: number, stale: number) => `${active} active, ${stale} stale`,
  shared: (names: readonly string[], directory: string) => `${nameList(names)} work in one folder, ${directory}`,
  sharedFix: "Their edits can collide: tell them of each other, or give one a git worktree.",
  longStale: (count: number, days: number) =>
    `${counted(count, "session")} last seen over a day ago; removed after ${days} days`,
  overdue: (count: number, days: number) =>
    `${counted(count, "session")} last seen over ${days} days ago and not removed`,
  overdueFix: "A running opencode with thatch's plugin removes them within an hour.",
  rosterFailed: "the directory cannot be read",
  rosterFailedFix: "See the database above.",
} as const;
