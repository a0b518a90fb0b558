import { ChatError } from "../../core/errors.ts";
import { Connection } from "./connection.ts";
import { createFile } from "./create-file.ts";
import { assertOurs, migrate, SCHEMA_VERSION } from "./migrations.ts";

/**
 * Opens the database, creates it where there is none, and brings it to the newest schema.
 * Throws a `ChatError` for a database that is not ours to use, which is then left as it was, and SQLite's own errors.
 */
export function openDatabase(file: string, busyMs: number): Connection {
  createFile(file);
  const connection = new Connection(file, busyMs);
  try {
    assertOurs(connection);
    useWal(connection);
    connection.run("PRAGMA synchronous = NORMAL");
    connection.run("PRAGMA foreign_keys = ON");
    migrate(connection);
    connection.holdTo(SCHEMA_VERSION);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** WAL is what lets processes read while another one writes. SQLite keeps the old mode where it cannot have it. */
function useWal(connection: Connection): void {
  const mode = connection.get<{ journal_mode: string }>("PRAGMA journal_mode = WAL")?.journal_mode;
  if (mode === "wal") return;
  const reason = `SQLite cannot use a write-ahead log there (journal mode ${mode}): the file has to be on a local file system`;
  throw new ChatError({ code: "store-unavailable", file: connection.file, reason });
}
