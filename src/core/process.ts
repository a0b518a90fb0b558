/** One process of this machine, told from a later one with the same pid by its start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As the operating system words it; only ever compared. */
  readonly startedAt: string;
}

/** A process and how it was started. */
export interface RunningProcess extends ProcessIdentity {
  readonly parentPid: number;
  /** The program and its arguments. */
  readonly args: readonly string[];
}

/** Shells and package runners that start a program for somebody else, by the name of their program. */
const LAUNCHERS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "fish",
  "ksh",
  "env",
  "npx",
  "bunx",
  "npm",
  "pnpm",
  "yarn",
  "timeout",
  "nice",
]);
/** A script that a JavaScript runtime runs and that only launches: npm's and npx's own. */
const LAUNCHING_SCRIPT = /(^|[/\\])(npm|npx)(-cli)?(\.[cm]?js)?$/;

/**
 * The host among the ancestors of a hook or a server, given from its parent upwards: the nearest that does more than launch. Nothing
 * beyond it counts, since a host may itself run inside a session of another one. Null when there is none.
 */
export function hostProcess(ancestors: Iterable<RunningProcess>): RunningProcess | null {
  for (const ancestor of ancestors) if (!isLauncher(ancestor)) return ancestor;
  return null;
}

function isLauncher({ args }: RunningProcess): boolean {
  const [program = "", script = ""] = args;
  const name = baseName(program).replace(/^-/, "");
  if (LAUNCHERS.has(name)) return true;
  return (name === "node" || name === "bun") && LAUNCHING_SCRIPT.test(script);
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
