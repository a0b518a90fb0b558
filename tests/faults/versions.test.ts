import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { failureOf } from "../store/failing.ts";
import { post, join as register, WIDE } from "../store/fixtures.ts";
import { refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";

let stage: FaultStage;
beforeEach(async () => {
  stage = new FaultStage();
  await stage.seed();
});
afterEach(() => stage.close());

/** What a newer thatch does to a database that others have open: it migrates it in place. */
function migrate(to: number): void {
  const newer = new Database(stage.file);
  newer.run("BEGIN IMMEDIATE");
  newer.run("ALTER TABLE chat_messages ADD COLUMN mood TEXT");
  newer.run(`PRAGMA user_version = ${to}`);
  newer.run("COMMIT");
  newer.close();
}

const contents = () => {
  const database = new Database(stage.file, { readonly: true });
  const rows = ["chat_sessions", "chat_messages", "chat_name_counters"].map((table) =>
    database.query(`SELECT * FROM ${table}`).all(),
  );
  database.close();
  return rows;
};

test("a store that had it open writes not one row more once another process migrated it", async () => {
  const store = createSqliteStore({ file: stage.file });
  await post(store, "s2", "s1");
  migrate(99);
  const before = contents();
  for (const operation of [
    () => post(store, "s2", "s1"),
    () => register(store, "s3"),
    () => store.beat({ sessionIds: ["s1"], busyIds: [], at: Date.now(), busyUntil: 0 }),
    () => store.setTopic("s1", "other"),
    () => store.read("s1", WIDE, Date.now()),
    () => store.roster(),
  ])
    expect(await failureOf(operation())).toMatchObject({ code: "store-too-new", found: 99 });
  expect(contents()).toEqual(before);
  store.close();
});

test("every surface that runs while a newer thatch migrates says that it is too old, and leaves all as it is", async () => {
  const surfaces = await stage.surfaces();
  servedEverywhere(await surfaces.use());
  migrate(99);
  const before = contents();
  refusedEverywhere(await surfaces.use(), stage.file, /has schema 99, newer than this thatch knows/);
  expect(contents()).toEqual(before);
});

test("an update that is taken back finds its database again", async () => {
  const surfaces = await stage.surfaces();
  migrate(99);
  refusedEverywhere(await surfaces.use(), stage.file, /has schema 99/);
  const older = new Database(stage.file);
  older.run("ALTER TABLE chat_messages DROP COLUMN mood");
  older.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  older.close();
  servedEverywhere(await surfaces.use());
});
