import { statSync } from "node:fs";

/** Whether there is no such file. One that may not be looked at is not missing: opening it says what is wrong. */
export function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // No permission, a loop of links: the caller's own use of the file fails with the reason.
    return false;
  }
}
