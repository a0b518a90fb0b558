import type { CommitProbe } from "../../core/store.ts";
import { Connection } from "./connection.ts";
import { asChatError } from "./failure.ts";

/** SQLite counts commits in 32 bits. */
const GENERATION = 2 ** 32;

/**
 * Watches with a connection of its own, since SQLite does not count the commits of the connection that asks. A replaced
 * database counts as a commit. `version` throws a `ChatError` while the file is missing or cannot be read.
 */
export function createCommitProbe(file: string, busyMs: number): CommitProbe {
  let connection: Connection | null = null;
  let generation = 0;

  function drop(): void {
    const dropped = connection;
    connection = null;
    dropped?.close();
  }

  return {
    file,
    version() {
      try {
        if (connection?.isReplaced()) drop();
        if (!connection) {
          connection = new Connection(file, busyMs);
          generation += 1;
        }
        const row = connection.get<{ data_version: number }>("PRAGMA data_version");
        if (!row) throw new Error(`SQLite returned no data version for ${file}`);
        return generation * GENERATION + row.data_version;
      } catch (error) {
        drop();
        throw asChatError(error, file);
      }
    },
    close: drop,
  };
}
