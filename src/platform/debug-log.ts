import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "../core/log.ts";

/**
 * A log that appends one line an entry to `file` (created 0600), or drops everything for null. A file that cannot be written
 * turns the log off: diagnostics must not hurt the host, and there is nowhere left to complain.
 */
export function debugLog(file: string | null): Log {
  let target = file;
  if (target !== null) {
    try {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    } catch {
      // The append below fails for the same reason and turns the log off.
    }
  }
  return (scope, message, error) => {
    if (target === null) return;
    const cause = error === undefined ? "" : ` ${describe(error)}`;
    const line = `${new Date().toISOString()} ${process.pid} ${scope}: ${message}${cause}`.replaceAll("\n", "\n  ");
    try {
      appendFileSync(target, `${line}\n`, { mode: 0o600 });
    } catch {
      target = null;
    }
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
