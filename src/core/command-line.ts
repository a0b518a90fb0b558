import type { HostMode } from "./session.ts";

/** What an opencode process was told to do. */
export interface OpencodeCommandLine {
  readonly mode: HostMode;
  /** The session it continues: one by id, or the latest of its directory. */
  readonly continues: { readonly kind: "session"; readonly id: string } | { readonly kind: "latest" } | null;
}

/** opencode's flags that take a value, from its help texts (1.18), so that no value is taken for a flag. */
const VALUE_FLAGS = new Set([
  ...[
    "--log-level",
    "--port",
    "--hostname",
    "--mdns-domain",
    "--cors",
    "-m",
    "--model",
    "-s",
    "--session",
    "--prompt",
    "--agent",
  ],
  ...[
    "--replay-limit",
    "--command",
    "--format",
    "-f",
    "--file",
    "--title",
    "--attach",
    "-p",
    "--password",
    "-u",
    "--username",
  ],
  ...["--dir", "--variant"],
]);
const SERVERS = new Set(["serve", "web"]);
/** How opencode's binary, a wrapper of it or its start script is called. */
const OPENCODE = /(^|[/\\])\.?opencode[^/\\]*$/;
const RUNTIME = /(^|[/\\])(node|bun)(\.exe)?$/;

/** Reads the arguments of an opencode process, the program itself included. What makes no sense is passed over. */
export function parseOpencodeCommandLine(argv: readonly string[]): OpencodeCommandLine {
  const { flags, positionals } = split(argv.slice(startOfArguments(argv)));
  const command = positionals[0] ?? "";
  const runsOnce = command === "run" && !has(flags, "-i", "--interactive");
  const mode = SERVERS.has(command) ? "serve" : runsOnce ? "run" : "tui";
  return { mode, continues: continued(flags) };
}

function continued(flags: readonly Flag[]): OpencodeCommandLine["continues"] {
  // A fork is a new session, with an identity of its own.
  if (has(flags, "--fork")) return null;
  const id = flags.findLast((flag) => flag.name === "-s" || flag.name === "--session")?.value;
  // White space is in no id: opencode read the rest of a text that begins like a flag, and will not find such a session.
  if (id && !/\s/.test(id)) return { kind: "session", id };
  return has(flags, "-c", "--continue") ? { kind: "latest" } : null;
}

interface Flag {
  readonly name: string;
  readonly value: string | null;
}

function has(flags: readonly Flag[], ...names: string[]): boolean {
  return flags.some((flag) => names.includes(flag.name) && flag.value !== "false");
}

/** The arguments begin behind the program, or behind the script called opencode that a runtime runs. */
function startOfArguments(argv: readonly string[]): number {
  const firstFlag = argv.findIndex((word) => word.startsWith("-"));
  const searched = RUNTIME.test(argv[0] ?? "") || firstFlag < 0 ? argv : argv.slice(0, firstFlag);
  return (
    Math.max(
      searched.findIndex((word) => OPENCODE.test(word)),
      0,
    ) + 1
  );
}

/** As yargs does it, which opencode uses: a word that begins with a dash is never a value, unless it is a number. */
function split(words: readonly string[]): { flags: Flag[]; positionals: string[] } {
  const flags: Flag[] = [];
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    // What follows is text: opencode takes no command from there either.
    if (word === "--") break;
    const [flag, ...others] = flagsOf(word);
    if (!flag) {
      positionals.push(word);
      continue;
    }
    const next = words[at + 1];
    const taken = flag.value === null && next !== undefined && isValueOf(flag.name, next);
    flags.push(taken ? { name: flag.name, value: next } : flag, ...others);
    if (taken) at++;
  }
  return { flags, positionals };
}

/** The flags that one word holds, the one first that may take the next word as its value. */
function flagsOf(word: string): Flag[] {
  const long = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(word);
  if (long) return [{ name: `--${long[2]}`, value: long[1] ? "false" : (long[3] ?? null) }];
  const [, letters = "", rest = ""] = /^-([a-z]+)(.*)$/is.exec(word) ?? [];
  return [...letters].reverse().map((letter, index) => ({
    name: `-${letter}`,
    value: index === 0 && rest !== "" ? rest.replace(/^=/, "") : null,
  }));
}

function isValueOf(flag: string, word: string): boolean {
  if (!VALUE_FLAGS.has(flag)) return word === "true" || word === "false";
  return !word.startsWith("-") || /^-\d/.test(word);
}

/** Splits the content of Linux's `/proc/<pid>/cmdline`: each argument ends in a NUL character. */
export function splitProcCmdline(raw: string): string[] {
  return raw.replace(/\0$/, "").split("\0");
}

/** Splits a line of `ps -o args=`. It has lost the quoting: an argument with a space in it comes apart. */
export function splitPsArgs(line: string): string[] {
  return line.trim().split(/ +/);
}
