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
/** A script that a JavaScript runtime runs and that only launches: a package runner's own. */
const LAUNCHING_SCRIPT = /(^|[/\\])(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(-cli)?(\.[cm]?js)?$/;
/** What npm writes over its arguments, as one text: that it is npm, and what it was told to run. */
const NPM_TITLE = /^npm /;

/**
 * The host among the ancestors of a hook or a server, given from its parent upwards: the nearest that does more than launch. Nothing
 * beyond it counts, since a host may itself run inside a session of another one. Null when there is none.
 */
export function hostProcess(ancestors: Iterable<RunningProcess>): RunningProcess | null {
  for (const ancestor of ancestors) if (!isLauncher(ancestor)) return ancestor;
  return null;
}

function isLauncher({ args }: RunningProcess): boolean {
  const [program = "", ...others] = args;
  const name = baseName(program).replace(/^-/, "");
  if (LAUNCHERS.has(name) || NPM_TITLE.test(program)) return true;
  if (name !== "node" && name !== "bun") return false;
  const script = others.find((word) => !word.startsWith("-")) ?? "";
  return LAUNCHING_SCRIPT.test(script) || (name === "bun" && script === "x");
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
