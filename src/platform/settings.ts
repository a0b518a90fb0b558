import { isAbsolute, join } from "node:path";

/** What the environment decides, read once at the start of a process. */
export interface Settings {
  /** The shared database. */
  readonly databaseFile: string;
  readonly configFile: string;
  /** The person's home folder. */
  readonly home: string;
  /** Where set-up keeps what it needs to take its changes back. */
  readonly setupFolder: string;
  /** The folder of the files by which idle sessions are woken whose host watches files. */
  readonly bellFolder: string;
  /** Where diagnostics go; null when they are off. */
  readonly debugFile: string | null;
  readonly pollMs: number;
  readonly renudgeMs: number;
  readonly nudgesPerHour: number;
  readonly rehostGraceMs: number;
  /** One sentence for each variable whose value could not be used; its default stands. */
  readonly warnings: readonly string[];
}

/** The shortest and the longest poll. */
const POLL_SECONDS = [0.1, 3600] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads thatch's variables. Never fails: a value that cannot be used is named in `warnings`. */
export function readSettings(environment: Environment): Settings {
  const warnings: string[] = [];
  // Asked for only where it is needed: loading the module takes longer than all else here.
  const home = environment.HOME || process.getBuiltinModule("node:os").homedir();

  function folder(variable: string, ...fallback: string[]): string {
    const value = environment[variable];
    // The XDG specification tells to ignore a relative path.
    return value && isAbsolute(value) ? value : join(home, ...fallback);
  }
  /** A relative path would name another file in every folder, and nothing expands "~" here. */
  function path(variable: string, fallback: string): string {
    const value = environment[variable];
    if (!value || isAbsolute(value)) return value || fallback;
    warnings.push(`${variable} is ${JSON.stringify(value)}, not an absolute path: ${fallback} is used.`);
    return fallback;
  }
  function debugFile(byDefault: string): string | null {
    const value = environment.THATCH_DEBUG;
    if (!value || value === "0") return null;
    if (value === "1" || isAbsolute(value)) return value === "1" ? byDefault : value;
    warnings.push(`THATCH_DEBUG is ${JSON.stringify(value)}, not 0, 1 or an absolute path: nothing is logged.`);
    return null;
  }
  function positive(variable: string, fallback: number): number {
    const text = environment[variable];
    if (text === undefined || text === "") return fallback;
    const value = Number(text);
    if (Number.isFinite(value) && value > 0) return value;
    warnings.push(`${variable} is ${JSON.stringify(text)}, not a positive number: ${fallback} is used.`);
    return fallback;
  }
  /** Timers of JavaScript overflow above 2^31 ms, and a poll of milliseconds would be nothing but load. */
  function seconds(variable: string, fallback: number, least: number, most: number): number {
    const value = positive(variable, fallback);
    const used = Math.min(most, Math.max(least, value));
    if (used !== value) warnings.push(`${variable} is ${value}, outside of ${least} to ${most}: ${used} is used.`);
    return used;
  }
  function wholePositive(variable: string, fallback: number): number {
    const value = positive(variable, fallback);
    const used = Math.max(1, Math.floor(value));
    if (used !== value) warnings.push(`${variable} is ${value}, not a whole number: ${used} is used.`);
    return used;
  }

  const state = join(folder("XDG_STATE_HOME", ".local", "state"), "thatch");
  return {
    databaseFile: path("THATCH_DB_PATH", join(folder("XDG_DATA_HOME", ".local", "share"), "thatch", "thatch.db")),
    configFile: path("THATCH_CONFIG_PATH", join(folder("XDG_CONFIG_HOME", ".config"), "thatch", "config.json")),
    home,
    setupFolder: join(state, "setup"),
    bellFolder: join(state, "bells"),
    debugFile: debugFile(join(state, "debug.log")),
    pollMs: seconds("THATCH_CHAT_POLL_SECONDS", 30, ...POLL_SECONDS) * 1000,
    renudgeMs: positive("THATCH_CHAT_RENUDGE_MINUTES", 15) * 60_000,
    nudgesPerHour: wholePositive("THATCH_CHAT_NUDGES_PER_HOUR", 6),
    rehostGraceMs: positive("THATCH_CHAT_REHOST_GRACE_MINUTES", 1440) * 60_000,
    warnings,
  };
}
