import { join } from "node:path";

/** A child process of a test, with its output line by line. */
export interface Child {
  /** Resolves with the next line, and rejects when the output has ended. */
  line(): Promise<string>;
  /** Every line it still prints until it ends. */
  rest(): Promise<string[]>;
  /** Writes a line to its standard input. */
  say(line: string): void;
  /** Ends its standard input, which is what the children wait for. */
  go(): void;
  /** Stops it where it is, until it is killed. */
  stop(): void;
  kill(): void;
  readonly exited: Promise<number>;
}

/** What is put before a command so that a line of sh runs first, in the same process. */
export function under(line: string): string[] {
  return ["sh", "-c", `${line}; exec "$@"`, "sh"];
}

/** Starts a program, named from this folder, on the Bun that runs the test; `before` is put before the command. */
export function startChild(program: string, args: readonly string[], before: readonly string[] = []): Child {
  const child = Bun.spawn([...before, process.execPath, join(import.meta.dir, program), ...args], {
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
    say(line) {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    go: () => void child.stdin.end(),
    stop: () => child.kill("SIGSTOP"),
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
