import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { failureOf } from "../store/failing.ts";
import { post, join as register, WIDE } from "../store/fixtures.ts";
import { goesOn, refusedEverywhere, servedEverywhere } from "./refused.ts";
import { fractions, SEED, times } from "./scale.ts";
import { FaultStage } from "./stage.ts";

const PAGE = 4096;
/** What stands in a page that was overwritten. */
const OVERWRITTEN: Readonly<Record<string, (index: number) => number>> = {
  zeros: () => 0,
  ones: () => 0xff,
  noise: (index) => (index * 2_654_435_761) >>> 24,
};

let stage: FaultStage;
beforeEach(async () => {
  stage = new FaultStage();
  await stage.seed();
});
afterEach(() => stage.close());

function overwrite(page: number, fill: (index: number) => number): Buffer {
  const bytes = readFileSync(stage.file);
  for (let n = 0; n < PAGE; n++) bytes[page * PAGE + n] = fill(n);
  writeFileSync(stage.file, bytes);
  return bytes;
}

const inode = () => statSync(stage.file).ino;

test.each(Object.keys(OVERWRITTEN))("a first page of %s: every surface says so, and no byte changes", async (kind) => {
  const before = inode();
  const bytes = overwrite(0, OVERWRITTEN[kind] ?? fail);
  refusedEverywhere(
    await (await stage.surfaces()).use(),
    stage.file,
    /it is (damaged|not an SQLite database)|another program/,
  );
  expect(readFileSync(stage.file).equals(bytes)).toBe(true);
  expect(inode()).toBe(before);
});

test("damage under running surfaces is said, not hidden, and the file that is put back serves in the same processes", async () => {
  const surfaces = await stage.surfaces();
  servedEverywhere(await surfaces.use());
  const checkpoint = new Database(stage.file);
  checkpoint.run("PRAGMA wal_checkpoint(TRUNCATE)");
  checkpoint.close();
  copyFileSync(stage.file, `${stage.file}.sound`);
  const pages = statSync(stage.file).size / PAGE;
  for (let page = 1; page < pages; page++) overwrite(page, OVERWRITTEN.ones ?? fail);
  const round = await surfaces.use();
  goesOn(round);
  for (const surface of ["opencode", "mcp"] as const)
    expect(round.tools[`${surface} send`]).toMatch(/^failed: The database \S+ cannot be used \(it is damaged/);
  expect(existsSync(stage.file)).toBe(true);
  writeFileSync(stage.file, readFileSync(`${stage.file}.sound`));
  servedEverywhere(await surfaces.use());
  expect((await stage.mail()).length).toBeGreaterThanOrEqual(52);
});

const PAGES = times(60, 600);
test(`${PAGES} times one page overwritten: every call answers or says why, and the file is never replaced`, async () => {
  console.log(`seed ${SEED}`);
  const random = fractions(SEED);
  const sound = readFileSync(stage.file);
  const pages = sound.length / PAGE;
  const before = inode();
  const kinds = Object.values(OVERWRITTEN);
  let refused = 0;
  for (let n = 0; n < PAGES; n++) {
    writeFileSync(stage.file, sound);
    overwrite(Math.floor(random() * pages), kinds[Math.floor(random() * kinds.length)] ?? fail);
    const store = createSqliteStore({ file: stage.file });
    for (const call of [
      () => register(store, `new-${n}`, "dune", Date.now()),
      () => store.roster(),
      () => post(store, "s2", "s1", "new", Date.now()),
      () => store.read("s1", WIDE, Date.now()),
      () => store.beat({ sessionIds: ["s1"], busyIds: [], at: Date.now(), busyUntil: 0 }),
      () => store.prune(Date.now(), 1),
      () => store.feed(null),
    ]) {
      const outcome = await call().then(
        () => null,
        (error: unknown) => failureOf(Promise.reject(error)),
      );
      if (outcome === null) continue;
      refused += 1;
      expect(outcome).toMatchObject({ code: "store-unavailable", file: stage.file });
    }
    store.close();
    expect(inode()).toBe(before);
  }
  expect(refused).toBeGreaterThan(PAGES);
}, 200_000);

function fail(): never {
  throw new Error("there is no such kind of damage");
}
