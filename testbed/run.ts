import { type Home, OPENCODE_BINARY } from "./home.ts";
import { end, Output } from "./process.ts";
import { within } from "./wait.ts";

/** A running `opencode run`. */
export interface Run {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Waits for its end and resolves to the exit code. */
  exited(timeoutMs?: number): Promise<number>;
  stop(): Promise<void>;
}

/** Starts `opencode run` with the prompt on its stdin. It exits by itself at the end of the turn. */
export function startRun(home: Home, how: { prompt: string; args?: readonly string[]; directory?: string }): Run {
  const child = Bun.spawn([OPENCODE_BINARY, "run", ...(how.args ?? [])], {
    cwd: how.directory ?? home.directory,
    env: home.env,
    stdin: new Blob([how.prompt]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  return {
    pid: child.pid,
    get stdout() {
      return stdout.text;
    },
    get stderr() {
      return stderr.text;
    },
    async exited(timeoutMs = 30_000) {
      const code = await within("opencode run to exit", child.exited, timeoutMs);
      await Promise.all([stdout.ended, stderr.ended]);
      return code;
    },
    stop: () => end(child.pid),
  };
}
