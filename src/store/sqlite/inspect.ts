import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isBusy, reasonOf } from "./failure.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "./migrations.ts";

/** How long it waits for a lock of another process; thatch's own are gone within milliseconds. */
const LOCK_PATIENCE_MS = 2_000;

/** One file or folder of the store, and its permission bits. */
export interface StorePath {
  readonly path: string;
  readonly mode: number;
}

/** What can be told of a database without changing it. */
export type Inspection =
  /** No file. `wal`: whether SQLite can keep a write-ahead log in the nearest folder that exists; else the reason. */
  | { readonly kind: "missing"; readonly folder: string; readonly wal: true | string }
  /** Another process keeps everybody out. */
  | { readonly kind: "locked"; readonly paths: readonly StorePath[] }
  | { readonly kind: "unreadable"; readonly reason: string; readonly paths: readonly StorePath[] }
  | {
      readonly kind: "readable";
      readonly paths: readonly StorePath[];
      /** Whether it is thatch's own; `empty`: nobody's yet, so that thatch would make it its own. */
      readonly owner: "thatch" | "empty" | "other";
      readonly schema: number;
      readonly supported: number;
      readonly journalMode: string;
      /** "ok", or the first fault that SQLite found. */
      readonly integrity: string;
      /** The file and its log together. */
      readonly bytes: number;
    };

/** Looks at a database file, opened for reading only. Never creates, migrates or changes it; never throws. */
export function inspectDatabase(file: string): Inspection {
  if (!existsSync(file)) return missing(file);
  const paths = [dirname(file), file, `${file}-wal`, `${file}-shm`].flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, mode: stats.mode & 0o777, size: stats.isFile() ? stats.size : 0 }];
  });
  let database: Database | null = null;
  try {
    database = new Database(file, { readonly: true });
    database.run(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`);
    const tables = database.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n;
    const pragma = (name: string) => Object.values(database?.query(`PRAGMA ${name}`).get() ?? {})[0];
    return {
      kind: "readable",
      paths,
      owner: pragma("application_id") === APPLICATION_ID ? "thatch" : tables === 0 ? "empty" : "other",
      schema: Number(pragma("user_version")),
      supported: SCHEMA_VERSION,
      journalMode: String(pragma("journal_mode")),
      integrity: String(pragma("quick_check(1)")),
      bytes: paths.reduce((sum, { size }) => sum + size, 0),
    };
  } catch (error) {
    return isBusy(error) ? { kind: "locked", paths } : { kind: "unreadable", reason: reasonOf(error), paths };
  } finally {
    database?.close();
  }
}

function missing(file: string): Inspection {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return { kind: "missing", folder, wal: canKeepLog(folder) };
}

/** Tried on a database of its own, which is gone afterwards. */
function canKeepLog(folder: string): true | string {
  let trial: string | null = null;
  let database: Database | null = null;
  try {
    trial = mkdtempSync(join(folder, ".thatch-doctor-"));
    database = new Database(join(trial, "trial.db"));
    database.run("PRAGMA journal_mode = WAL");
    database.run("CREATE TABLE trial (id INTEGER)");
    const mode = database.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get()?.journal_mode;
    return mode === "wal" ? true : `SQLite chose the journal mode ${mode} instead`;
  } catch (error) {
    return reasonOf(error);
  } finally {
    database?.close();
    if (trial !== null) rmSync(trial, { recursive: true, force: true });
  }
}
