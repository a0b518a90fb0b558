import { type HookAnswer, SILENCE } from "../hook-host/answer.ts";
import type { Hook } from "../hook-host/run.ts";
import { runClaudeHook } from "../hosts/claude-code/run-hook.ts";
import { readStdin } from "../platform/stdin.ts";

/** Whoever starts a hook may keep its standard input open. */
const STDIN_PATIENCE_MS = 2_000;

/** The hosts whose hooks there are. */
const HOSTS: ReadonlyMap<string, Hook> = new Map([["claude-code", runClaudeHook]]);

/**
 * The answer to the event on standard input. A host that is not known, from the set-up of a newer or older thatch, is met with silence,
 * since a hook's failure would be shown to the person or stop their prompt.
 */
export async function answerStdin(
  host: string,
  environment: Readonly<Record<string, string | undefined>>,
  parentPid: number,
  how: readonly string[] = [],
): Promise<HookAnswer> {
  const hook = HOSTS.get(host);
  return hook === undefined
    ? SILENCE
    : hook({ input: await readStdin(STDIN_PATIENCE_MS), environment, parentPid, how });
}
