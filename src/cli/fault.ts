import { ChatError } from "../core/errors.ts";
import { storeFault } from "../text/cli.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** Why a command failed, as a sentence for the person, and with which exit code. */
export class CliFault extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, options: ErrorOptions & { readonly exitCode: ExitCode }) {
    super(message, options);
    this.name = "CliFault";
    this.exitCode = options.exitCode;
  }
}

/** The fault behind an error of the store; any other error is a defect and stays as it is. */
export function asFault(error: unknown): unknown {
  if (!(error instanceof ChatError)) return error;
  const exitCode = error.failure.code === "store-busy" ? EXIT.busy : EXIT.failed;
  return new CliFault(storeFault(error.failure), { exitCode, cause: error });
}
