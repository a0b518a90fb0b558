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
/** How opencode's binary or its start script is called. */
const OPENCODE = /(^|[/\\])opencode[^/\\]*$/;

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
  if (id) return { kind: "session", id };
  return has(flags, "-c", "--continue") ? { kind: "latest" } : null;
}

interface Flag {
  readonly name: string;
  readonly value: string | null;
}

function has(flags: readonly Flag[], ...names: string[]): boolean {
  return flags.some((flag) => names.includes(flag.name) && flag.value !== "false");
}

/** The arguments begin behind the first word that is opencode; a runtime may stand before it. */
function startOfArguments(argv: readonly string[]): number {
  const program = argv.findIndex((word) => OPENCODE.test(word));
  return program < 0 ? 1 : program + 1;
}

function split(words: readonly string[]): { flags: Flag[]; positionals: string[] } {
  const flags: Flag[] = [];
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      positionals.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    if (equals > 0) flags.push({ name: word.slice(0, equals), value: word.slice(equals + 1) });
    else if (!VALUE_FLAGS.has(word)) flags.push({ name: word, value: null });
    else if (at + 1 < words.length) flags.push({ name: word, value: words[++at] ?? null });
  }
  return { flags, positionals };
}

/** Splits the content of Linux's `/proc/<pid>/cmdline`: each argument ends in a NUL character. */
export function splitProcCmdline(raw: string): string[] {
  return raw.replace(/\0$/, "").split("\0");
}

/** Splits a line of `ps -o args=`. It has lost the quoting: an argument with a space in it comes apart. */
export function splitPsArgs(line: string): string[] {
  return line.trim().split(/ +/);
}
