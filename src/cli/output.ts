import { writeSync } from "node:fs";
import { unwritable } from "../text/cli.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

const STDOUT = 1;
const STDERR = 2;
/** How long it waits for a reader that is slower than the writer, before it tries again. */
const FULL_PIPE_MS = 5;

/** The two ends a command writes to. Written synchronously: what was printed is out, whatever comes next. */
export interface Output {
  /** Writes results. What cannot be written ends the command. */
  out(text: string): void;
  /** Writes everything that is no result. */
  err(text: string): void;
}

/**
 * The output of this process. Results that nobody reads any more end it with 0, results that cannot be written with 1 and the
 * reason. `process.stdout` would write too, at the price of 10 ms for loading it.
 */
export function processOutput(exit: (code: ExitCode) => never): Output {
  function err(text: string): void {
    // Where complaints cannot be written there is nothing left to say; the exit code still tells.
    write(STDERR, text);
  }
  return {
    out(text) {
      const failure = write(STDOUT, text);
      if (failure === null) return;
      if (codeOf(failure) === "EPIPE") exit(EXIT.done);
      err(`thatch: ${unwritable(failure.message)}\n`);
      exit(EXIT.failed);
    },
    err,
  };
}

/** Writes all of it and returns null, or returns why not. */
function write(descriptor: number, text: string): Error | null {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (codeOf(error) !== "EAGAIN") return error;
      Bun.sleepSync(FULL_PIPE_MS);
    }
  }
  return null;
}

function codeOf(error: Error): unknown {
  return "code" in error ? error.code : undefined;
}
