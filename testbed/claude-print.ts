import { CLAUDE_BINARY, type ClaudeHome } from "./claude-home.ts";
import { end, Output } from "./process.ts";
import { within } from "./wait.ts";

/** What a `claude -p` that has ended left behind. */
export interface ClaudePrint {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `claude -p` with the prompt to its end; rejects, and ends it, when it takes longer than `timeoutMs`. */
export async function claudePrint(
  home: ClaudeHome,
  prompt: string,
  args: readonly string[] = [],
  timeoutMs = 30_000,
): Promise<ClaudePrint> {
  const child = Bun.spawn([CLAUDE_BINARY, "-p", ...args, "--", prompt], {
    cwd: home.directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  try {
    const code = await within("claude -p to exit", child.exited, timeoutMs);
    await Promise.all([stdout.ended, stderr.ended]);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    await end(child.pid, "SIGKILL");
  }
}
