import { CLAUDE_BINARY, type ClaudeHome } from "./claude-home.ts";
import { end, Output } from "./process.ts";
import { until, within } from "./wait.ts";

/** A Claude Code that takes one prompt after another on its standard input, and stays open between them. */
export interface ClaudeStream {
  readonly pid: number;
  /** Every line it printed, as JSON. */
  events(): Record<string, unknown>[];
  readonly stderr: string;
  /** Sends a prompt and does not wait for its answer. */
  prompt(text: string): void;
  /** Waits until it has ended so many turns. */
  turns(count: number, timeoutMs?: number): Promise<void>;
  /** Closes its input, on which it ends by itself. */
  close(): Promise<number>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

const CHAT_TOOLS = "mcp__thatch__*";

/** Starts Claude Code with streams of JSON in both directions. */
export function startClaudeStream(home: ClaudeHome, args: readonly string[] = []): ClaudeStream {
  const streams = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = Bun.spawn([CLAUDE_BINARY, ...streams, "--allowedTools", CHAT_TOOLS, ...args], {
    cwd: home.directory,
    env: home.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  const events = () =>
    stdout.text
      .split("\n")
      .slice(0, -1)
      .filter((line) => line !== "")
      .map((line): Record<string, unknown> => JSON.parse(line));
  return {
    pid: child.pid,
    events,
    get stderr() {
      return stderr.text;
    },
    prompt(text) {
      child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: text } })}\n`);
      child.stdin.flush();
    },
    turns: async (count, timeoutMs) =>
      void (await until(
        `Claude Code to end ${count} turns: ${stderr.text}`,
        () => events().filter(({ type }) => type === "result").length >= count,
        timeoutMs,
      )),
    async close() {
      child.stdin.end();
      return within("Claude Code to exit", child.exited);
    },
    stop: (signal) => end(child.pid, signal),
  };
}
