import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join as joinPath } from "node:path";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { makeSqliteBench, type SqliteBench } from "./bench.ts";
import { startChild, under } from "./child/start.ts";
import { failureOf, thrownBy } from "./failing.ts";
import { join, post, T0, WIDE } from "./fixtures.ts";

let bench: SqliteBench;
beforeEach(async () => {
  bench = await makeSqliteBench();
});
afterEach(() => bench.dispose());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Fills the database and closes it, so that one file holds all there is. */
async function seed(): Promise<Buffer> {
  const store = bench.open();
  await join(store, "s1");
  await join(store, "s2", "brook");
  for (let i = 0; i < 50; i++) await post(store, "s1", "s2", "x".repeat(1000));
  store.close();
  return readFileSync(bench.file);
}

describe("files", () => {
  test("creating a store touches nothing", () => {
    bench.open().close();
    expect(existsSync(dirname(bench.file))).toBe(false);
  });

  for (const umask of [0o000, 0o022, 0o077, 0o777]) {
    test(`are the user's alone under umask ${umask.toString(8).padStart(3, "0")}`, async () => {
      const file = joinPath(bench.folder, "a", "b", "thatch.db");
      const before = process.umask(umask);
      try {
        const store = createSqliteStore({ file });
        await join(store, "s1");
        expect([joinPath(bench.folder, "a"), dirname(file)].map(modeOf)).toEqual(["700", "700"]);
        expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(["600", "600", "600"]);
        store.close();
      } finally {
        process.umask(before);
      }
    });
  }

  test("a folder that was there keeps its permissions", async () => {
    mkdirSync(dirname(bench.file));
    chmodSync(dirname(bench.file), 0o755);
    const store = bench.open();
    await join(store, "s1");
    expect([modeOf(dirname(bench.file)), modeOf(bench.file)]).toEqual(["755", "600"]);
    store.close();
  });

  test("WAL is on and stays on", async () => {
    const store = bench.open();
    await join(store, "s1");
    const reader = new Database(bench.file, { readonly: true });
    expect(reader.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    reader.close();
    store.close();
  });

  test("a message is never stored in a file that is deleted already", async () => {
    const store = bench.open({ now: () => 0 });
    await join(store, "s1");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(bench.file + suffix, { force: true });
    const letter = { senderId: "s1", recipientId: "s1", body: "hello", replyTo: null, at: T0 };
    expect((await store.send(letter)).kind).toBe("sender-missing");
    await join(store, "s1");
    expect((await store.send(letter)).kind).toBe("sent");
    expect(await bench.open().feed(null)).toHaveLength(1);
    store.close();
  });

  test("a deleted database is made anew, and a replaced one is found", async () => {
    const kept = await seed();
    let now = 0;
    const store = bench.open({ now: () => now });
    expect((await store.roster()).length).toBe(2);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(bench.file + suffix, { force: true });
    now += 1000;
    expect(await store.roster()).toEqual([]);
    await join(store, "s3");

    writeFileSync(`${bench.file}.new`, kept);
    renameSync(`${bench.file}.new`, bench.file);
    for (const suffix of ["-wal", "-shm"]) rmSync(bench.file + suffix, { force: true });
    // Another connection writes to the new file before this store has looked.
    const other = bench.open();
    await join(other, "s4", "cedar");
    now += 1000;
    expect((await store.roster()).map((row) => row.sessionId).sort()).toEqual(["s1", "s2", "s4"]);
    other.close();
    store.close();
    const check = new Database(bench.file);
    expect(check.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(check.query("SELECT count(*) AS n FROM chat_sessions").get()).toEqual({ n: 3 });
    check.close();
  });

  test("a closed store opens again at the next operation", async () => {
    const store = bench.open();
    await join(store, "s1");
    store.close();
    store.close();
    expect((await store.roster()).map((row) => row.sessionId)).toEqual(["s1"]);
    store.close();
  });
});

describe("a database of a newer version", () => {
  test("is refused and left as it was", async () => {
    await seed();
    const newer = new Database(bench.file);
    newer.run("PRAGMA journal_mode = DELETE");
    newer.run("PRAGMA user_version = 99");
    newer.close();
    const bytes = readFileSync(bench.file);
    const store = bench.open();
    for (const operation of [() => join(store, "s3"), () => store.roster()]) {
      expect(await failureOf(operation())).toEqual({
        code: "store-too-new",
        file: bench.file,
        found: 99,
        supported: SCHEMA_VERSION,
      });
    }
    store.close();
    expect(readFileSync(bench.file).equals(bytes)).toBe(true);
    expect(existsSync(`${bench.file}-wal`)).toBe(false);
  });

  test("is refused by a store that had it open when it was replaced", async () => {
    await seed();
    let now = 0;
    const store = bench.open({ now: () => now });
    await store.roster();
    const copy = new Database(`${bench.file}.new`, { create: true });
    copy.run("PRAGMA user_version = 99");
    copy.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(bench.file + suffix, { force: true });
    renameSync(`${bench.file}.new`, bench.file);
    now += 1000;
    expect(await failureOf(store.roster())).toMatchObject({ code: "store-too-new", found: 99 });
  });

  test("is refused by a store that had it open when a newer thatch migrated it", async () => {
    await seed();
    let now = 0;
    const store = bench.open({ now: () => now });
    await store.roster();
    const newer = new Database(bench.file);
    newer.run("BEGIN IMMEDIATE");
    newer.run("ALTER TABLE chat_messages ADD COLUMN mood TEXT");
    newer.run("PRAGMA user_version = 99");
    newer.run("COMMIT");
    newer.close();
    now += 1000;
    expect(await failureOf(post(store, "s1", "s2"))).toMatchObject({ code: "store-too-new", found: 99 });
    expect(await failureOf(store.roster())).toMatchObject({ code: "store-too-new", found: 99 });
    store.close();
  });
});

describe("a broken database", () => {
  async function refuses(reason: RegExp): Promise<void> {
    const before = statSync(bench.file).isFile() ? readFileSync(bench.file) : null;
    const store = bench.open();
    for (const operation of [() => join(store, "s3"), () => store.roster(), () => post(store, "s1", "s2")]) {
      const failure = await failureOf(operation());
      expect(failure).toMatchObject({ code: "store-unavailable", file: bench.file });
      expect((failure as { reason: string }).reason).toMatch(reason);
    }
    store.close();
    if (before) expect(readFileSync(bench.file).equals(before)).toBe(true);
  }

  test("text in place of a database", async () => {
    mkdirSync(dirname(bench.file));
    writeFileSync(bench.file, "not a database at all\n".repeat(500));
    await refuses(/not an SQLite database \(SQLITE_NOTADB/);
  });

  test("a folder in place of the file", async () => {
    mkdirSync(bench.file, { recursive: true });
    await refuses(/a folder, not a file/);
  });

  test("another program's database", async () => {
    mkdirSync(dirname(bench.file));
    const foreign = new Database(bench.file, { create: true });
    foreign.run("CREATE TABLE chat_sessions (id)");
    foreign.close();
    await refuses(/another program/);
  });

  test("a damaged header", async () => {
    const bytes = await seed();
    bytes.fill(0xff, 0, 100);
    writeFileSync(bench.file, bytes);
    await refuses(/not an SQLite database|damaged/);
  });

  test("a truncated file", async () => {
    const bytes = await seed();
    writeFileSync(bench.file, bytes.subarray(0, 5000));
    await refuses(/damaged \(SQLITE_CORRUPT/);
  });

  test("damaged pages behind a sound header: what cannot be read is an error, and nothing is deleted", async () => {
    const bytes = await seed();
    bytes.fill(0xaa, 4096);
    writeFileSync(bench.file, bytes);
    await refuses(/damaged \(SQLITE_CORRUPT/);
  });

  test("a file in place of its folder", async () => {
    writeFileSync(dirname(bench.file), "");
    const store = bench.open();
    const failure = await failureOf(store.roster());
    expect(failure).toMatchObject({ code: "store-unavailable", file: bench.file });
    expect((failure as { reason: string }).reason).toMatch(/ENOTDIR/);
    store.close();
  });

  test("a link to nowhere", async () => {
    mkdirSync(dirname(bench.file));
    symlinkSync("nowhere.db", bench.file);
    const store = bench.open();
    expect(await failureOf(store.roster())).toMatchObject({ code: "store-unavailable", file: bench.file });
    store.close();
  });

  test("works again once it is mended, in the same store", async () => {
    const sound = await seed();
    writeFileSync(bench.file, "broken ".repeat(1000));
    const store = bench.open();
    expect((await failureOf(store.roster())).code).toBe("store-unavailable");
    writeFileSync(bench.file, sound);
    expect((await store.count("s2")).unread).toBe(50);
    store.close();
  });

  test("a file or a folder that may not be written: reported, and nothing is lost", async () => {
    await seed();
    // The folder of the test is the way to the file for the user the child turns into.
    for (const [folderMode, fileMode] of [
      [0o777, 0o444],
      [0o555, 0o444],
      [0o777, 0o000],
      [0o000, 0o666],
    ] as const) {
      chmodSync(bench.folder, 0o755);
      chmodSync(dirname(bench.file), folderMode);
      chmodSync(bench.file, fileMode);
      const child = startChild("unprivileged.ts", [bench.file]);
      for (let i = 0; i < 2; i++) {
        expect(JSON.parse(await child.line())).toMatchObject({ code: "store-unavailable", file: bench.file });
      }
      expect(await child.exited).toBe(0);
    }
    chmodSync(dirname(bench.file), 0o700);
    chmodSync(bench.file, 0o600);
    const store = bench.open();
    expect((await store.count("s2")).unread).toBe(50);
    store.close();
  });

  test("a full disk: the send that fails says so, and those that returned are kept", async () => {
    await seed();
    // A limit on the size of a file, in blocks of 512 bytes, fails a write where a full disk would.
    const child = startChild("fill-disk.ts", [bench.file], under("trap '' XFSZ; ulimit -f 2000"));
    const { returned, failure } = JSON.parse(await child.line());
    expect(failure).toMatchObject({ code: "store-unavailable", file: bench.file });
    expect(failure.reason).toMatch(/disk/);
    expect(returned).toBeGreaterThan(0);
    await child.exited;
    const store = bench.open();
    expect((await store.count("s2")).total).toBe(50 + returned);
    expect((await store.read("s2", WIDE, T0)).messages.length).toBeGreaterThan(0);
    store.close();
  });
});

describe("the commit probe", () => {
  test("sees commits of this store and of others, and a replaced file; a missing one is an error", async () => {
    const store = bench.open();
    const probe = store.commitProbe();
    expect(probe.file).toBe(bench.file);
    expect(await thrownBy(() => probe.version())).toMatchObject({ code: "store-unavailable", file: bench.file });
    await join(store, "s1");
    const seen = [probe.version()];
    expect(probe.version()).toBe(seen[0] ?? Number.NaN);
    await join(store, "s2");
    seen.push(probe.version());
    const other = bench.open();
    await join(other, "s3");
    seen.push(probe.version());
    other.close();
    store.close();
    rmSync(bench.file);
    expect(await thrownBy(() => probe.version())).toMatchObject({ code: "store-unavailable" });
    const next = bench.open();
    await join(next, "s1");
    seen.push(probe.version());
    expect(new Set(seen).size).toBe(seen.length);
    probe.close();
    next.close();
  });
});
