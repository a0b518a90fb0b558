import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore, type SqliteStoreOptions } from "../../src/store/sqlite/store.ts";
import type { Bench } from "./fixtures.ts";

export interface SqliteBench extends Bench {
  readonly folder: string;
  readonly file: string;
  open(more?: Partial<SqliteStoreOptions>): ReturnType<typeof createSqliteStore>;
}

/** A folder of its own for one test; the database file is not there yet. */
export async function makeSqliteBench(): Promise<SqliteBench> {
  const folder = await mkdtemp(join(tmpdir(), "thatch-store-"));
  const file = join(folder, "data", "thatch.db");
  return {
    folder,
    file,
    open: (more = {}) => createSqliteStore({ file, ...more }),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
