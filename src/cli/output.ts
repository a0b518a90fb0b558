import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

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

/**
 * Whether standard output is a pipe that nobody reads any more: a command that waits would otherwise find out only at its next
 * line. Only Linux tells; elsewhere this is false.
 */
export function isReaderGone(): boolean {
  if (process.platform !== "linux" || !fstatSync(STDOUT).isFIFO()) return false;
  try {
    // Opening a pipe to write without waiting fails when it has no reader (fifo(7)).
    closeSync(openSync(`/proc/self/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENXIO";
  }
}
