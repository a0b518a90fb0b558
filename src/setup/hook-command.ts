import { BUN_FLAGS, type Installation } from "./installation.ts";
import { isRecord } from "./json-source.ts";

/** The hosts whose settings name thatch's hooks. */
export type HookHost = "claude-code";

/**
 * Hosts report a hook whose program is gone at every event, so a shell looks first. It becomes Bun by `exec`: the hook stays a direct child
 * of its host.
 */
const IF_PRESENT = `[ -x "$0" ] && [ -r "$1" ] || exit 0; exec "$0" ${BUN_FLAGS.join(" ")} "$@"`;

/**
 * The command of a hook, as one text for any shell. Not as a program with arguments, which Claude Code takes, too: Cursor runs Claude Code's
 * hooks as well, and a host that passed over the arguments would start a bare shell that reads the event as its script.
 */
export function hookCommand({ root, bun }: Installation, host: HookHost): string {
  const script = `${root}/dist/hook.js`;
  return `exec /bin/sh -c ${quoted(IF_PRESENT)} ${quoted(bun)} ${quoted(script)} ${host}`;
}

/** Whether a hook of some thatch for this host stands there, in the form of today or an older one: then it is replaced, not doubled. */
export function isThatchHook(found: unknown, host: HookHost): boolean {
  if (!isRecord(found)) return false;
  const { command, args } = found;
  if (typeof command !== "string") return false;
  if (!Array.isArray(args)) return command.startsWith("exec /bin/sh -c ") && command.endsWith(`/dist/hook.js' ${host}`);
  // The program with arguments that set-up wrote at first.
  return args.at(-1) === host && args.some((arg) => /[\\/]dist[\\/]hook\.js$/.test(String(arg)));
}

/** One word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
