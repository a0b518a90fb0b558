import { SQLiteError } from "bun:sqlite";
import { ChatError } from "../../core/errors.ts";

/** SQLite's primary result codes (https://sqlite.org/rescode.html); extended ones carry them in their low byte. */
const BUSY = 5;
const LOCKED = 6;
const PROTOCOL = 15;
const REASONS: Readonly<Record<number, string>> = {
  3: "access is denied",
  7: "there is not enough memory",
  8: "it cannot be written",
  10: "the disk failed to read or write it",
  11: "it is damaged",
  13: "the disk is full",
  14: "it cannot be opened",
  23: "access is denied",
  26: "it is not an SQLite database",
};

const NEEDS_LOCAL_FILES = "the file has to be on a local file system";
/** Extended codes of what only some file systems lack. */
const LACKING: Readonly<Record<number, string>> = {
  // SQLITE_IOERR_SHMOPEN, _SHMLOCK, _SHMMAP
  4618: `its file system has no memory that processes share: ${NEEDS_LOCAL_FILES}`,
  5130: `its file system has no memory that processes share: ${NEEDS_LOCAL_FILES}`,
  5386: `its file system has no memory that processes share: ${NEEDS_LOCAL_FILES}`,
  // SQLITE_IOERR_RDLOCK, _CHECKRESERVEDLOCK, _LOCK
  2314: `its file system has no locks: ${NEEDS_LOCAL_FILES}`,
  3594: `its file system has no locks: ${NEEDS_LOCAL_FILES}`,
  3850: `its file system has no locks: ${NEEDS_LOCAL_FILES}`,
  // SQLITE_IOERR_SHMSIZE
  4874: "the disk is full",
};

/** Whether another connection is in the way, so that trying again can help. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof SQLiteError)) return false;
  const primary = error.errno & 0xff;
  return primary === BUSY || primary === LOCKED || primary === PROTOCOL;
}

/** The error a caller of the store sees. Anything but a failure of SQLite or the file system is a defect and stays as it is. */
export function asChatError(error: unknown, file: string): unknown {
  if (error instanceof SQLiteError || (error instanceof Error && "syscall" in error))
    return unavailable(file, reasonOf(error), error);
  return error;
}

/** Why SQLite or the file system refused, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof SQLiteError)) return error instanceof Error ? error.message : String(error);
  const words = LACKING[error.errno] ?? REASONS[error.errno & 0xff] ?? "SQLite refused the operation";
  return `${words} (${error.code ?? error.errno}: ${error.message})`;
}

function unavailable(file: string, reason: string, cause: Error): ChatError {
  return new ChatError({ code: "store-unavailable", file, reason }, { cause });
}
