import { join } from "node:path";

/** A child process of a test, with its output line by line. */
export interface Child {
  /** Resolves with the next line, and rejects when the output has ended. */
  line(): Promise<string>;
  /** Every line it still prints until it ends. */
  rest(): Promise<string[]>;
  /** Ends its standard input, which is what the children wait for. */
  go(): void;
  kill(): void;
  readonly exited: Promise<number>;
}

/** Starts a program, named from this folder, on the Bun that runs the test; `shell` is put before it. */
export function startChild(program: string, args: readonly string[], shell = ""): Child {
  const command = [process.execPath, join(import.meta.dir, program), ...args];
  const child = Bun.spawn(shell ? ["sh", "-c", `${shell}; exec "$@"`, "sh", ...command] : command, {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  return {
    async line() {
      const next = await lines.next();
      if (next.done) throw new Error(`${program} ended before it printed another line`);
      return next.value;
    },
    async rest() {
      const all: string[] = [];
      for await (const line of lines) all.push(line);
      return all;
    },
    go: () => void child.stdin.end(),
    kill: () => child.kill("SIGKILL"),
    exited: child.exited,
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
