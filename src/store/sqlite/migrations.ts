import { ChatError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { SCHEMA_1 } from "./schema-1.ts";
import { SCHEMA_2 } from "./schema-2.ts";

/** Marks a database file as thatch's: "thch" in ASCII. */
export const APPLICATION_ID = 0x74686368;

/** The statements that lead from version n to n + 1, at index n. Append only: a published one never changes. */
const MIGRATIONS: readonly (readonly string[])[] = [SCHEMA_1, SCHEMA_2];

/** The schema this version of thatch reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

interface Header {
  readonly version: number;
  readonly application: number;
  readonly tables: number;
}

/** One statement, so that another process's migration is seen as a whole or not at all. */
const READ_HEADER = `
  SELECT (SELECT user_version FROM pragma_user_version) AS version,
         (SELECT application_id FROM pragma_application_id) AS application,
         (SELECT count(*) FROM sqlite_schema) AS tables`;

/** Throws `store-too-new` for a newer thatch's database, and `store-unavailable` for one of another program. Only reads. */
export function assertOurs(connection: Connection): Header {
  const { file } = connection;
  const header = connection.get<Header>(READ_HEADER);
  if (!header) throw new Error(`SQLite returned no header for ${file}`);
  if (header.version > SCHEMA_VERSION) {
    throw new ChatError({ code: "store-too-new", file, found: header.version, supported: SCHEMA_VERSION });
  }
  const empty = header.version === 0 && header.tables === 0;
  if (!empty && header.application !== APPLICATION_ID) {
    throw new ChatError({ code: "store-unavailable", file, reason: "it is a database of another program" });
  }
  return header;
}

/**
 * Applies what is missing, each step in a transaction of its own. The version is read again under the lock, so that of
 * two processes that migrate at once the second finds the work done.
 */
export function migrate(connection: Connection): void {
  let { version } = assertOurs(connection);
  while (version < SCHEMA_VERSION) {
    version = connection.immediate(() => {
      const current = assertOurs(connection).version;
      const statements = MIGRATIONS[current];
      if (!statements) return current;
      for (const statement of statements) connection.run(statement);
      connection.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      connection.run(`PRAGMA user_version = ${current + 1}`);
      return current + 1;
    });
  }
}
