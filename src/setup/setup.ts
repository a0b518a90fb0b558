import type { FileChange, SetupFault, SetupNotice } from "../core/setup-report.ts";
import { editFile, type FileTask, type Mode } from "./edit-file.ts";
import type { Installation } from "./installation.ts";

export type SetupOptions = { readonly global: boolean; readonly remove: boolean; readonly dryRun: boolean };

/** What setup needs to know of the machine. All paths are absolute. */
export type SetupEnvironment = Installation & {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project's folder. */
  readonly directory: string;
  /** Where receipts and backups are kept, such as `$XDG_STATE_HOME/thatch/setup`. */
  readonly stateFolder: string;
};

export type SetupResult = {
  readonly changes: readonly FileChange[];
  readonly faults: readonly SetupFault[];
  readonly notices: readonly SetupNotice[];
};

/** Edits each file and sorts what came of it. */
export function runTasks(tasks: readonly FileTask[], mode: Mode, notices: readonly SetupNotice[]): SetupResult {
  const results = tasks.map((one) => editFile(one, mode));
  return {
    changes: results.filter((result) => "change" in result),
    faults: results.filter((result) => "fault" in result),
    notices: mode.remove ? [] : notices,
  };
}
