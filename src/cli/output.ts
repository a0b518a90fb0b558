import { writeSync } from "node:fs";

const STDOUT = 1;
const STDERR = 2;
/** How long it waits for a reader that is slower than the writer, before it tries again. */
const FULL_PIPE_MS = 5;

/** The two ends a command writes to. Written synchronously: what was printed is out, whatever comes next. */
export interface Output {
  /** Writes results. `onClosed` is called instead when nobody can read them any more. */
  out(text: string): void;
  /** Writes everything that is no result. */
  err(text: string): void;
}

/** The output of this process. `process.stdout` would do it too, at the price of 10 ms for loading it. */
export function processOutput(onClosed: () => never): Output {
  return {
    out(text) {
      write(STDOUT, text, onClosed);
    },
    err(text) {
      // Without a reader for complaints there is nothing left to say; the exit code still tells.
      write(STDERR, text, () => undefined);
    },
  };
}

function write(descriptor: number, text: string, onClosed: () => void): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") {
        onClosed();
        return;
      }
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(FULL_PIPE_MS);
    }
  }
}
