import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeSqliteBench, type SqliteBench } from "./bench.ts";
import { startChild } from "./child/start.ts";
import { failureOf } from "./failing.ts";
import { join, LIMITS, post, T0, WIDE } from "./fixtures.ts";

let bench: SqliteBench;
beforeEach(async () => {
  bench = await makeSqliteBench();
});
afterEach(() => bench.dispose());

async function seed(): Promise<void> {
  const store = bench.open();
  await join(store, "s1");
  await join(store, "s2", "brook");
  store.close();
}

async function holdLock() {
  const child = startChild("hold-lock.ts", [bench.file]);
  expect(await child.line()).toBe("locked");
  return {
    async release() {
      child.go();
      expect(await child.exited).toBe(0);
    },
  };
}

/** A clock that only waiting moves. */
function patientClock() {
  let now = 0;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("a lock held by another process", () => {
  test("is waited for, then reported; once it is released everything works", async () => {
    await seed();
    const lock = await holdLock();
    const clock = patientClock();
    const store = bench.open({ busyMs: 1, ...clock });
    const failure = await failureOf(post(store, "s1", "s2"));
    expect(failure).toMatchObject({ code: "store-busy", file: bench.file });
    expect((failure as { waitedMs: number }).waitedMs).toBeGreaterThanOrEqual(5000);
    expect(clock.now()).toBeLessThan(5050);
    expect(Math.max(...clock.pauses)).toBeLessThanOrEqual(50);
    await lock.release();
    await post(store, "s1", "s2");
    expect(await store.count("s2")).toEqual({ unread: 1, total: 1 });
    store.close();
  });

  test("does not stop the event loop while it is waited for", async () => {
    await seed();
    const lock = await holdLock();
    const store = bench.open({ busyMs: 1 });
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      // Only the event loop of this process can let the lock go.
      if (ticks === 20) void lock.release();
    }, 1);
    await post(store, "s1", "s2");
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(20);
    store.close();
  });

  test("does not stop what needs no lock", async () => {
    await seed();
    const before = bench.open();
    await before.leave("s3", T0);
    before.close();
    const lock = await holdLock();
    const store = bench.open({ busyMs: 1, patienceMs: 0 });
    expect((await store.roster()).length).toBe(2);
    expect(await join(store, "s3")).toEqual({ kind: "left" });
    expect(await store.read("s2", WIDE, T0)).toEqual({ messages: [], remaining: 0 });
    expect(await store.readAgain("s2", WIDE)).toEqual([]);
    expect(await store.due(["s2"], T0, LIMITS)).toEqual([]);
    expect(await store.takeWake("s2", T0, LIMITS)).toEqual({ kind: "nothing" });
    expect(await store.notice("s2", T0)).toBeNull();
    await lock.release();
    store.close();
  });

  test("keeps the order in which one store's writes were asked for", async () => {
    await seed();
    const lock = await holdLock();
    const released = Promise.withResolvers<void>();
    let sleepers = 0;
    // The longer an operation has waited, the later it would be tried again.
    const sleep = async () => {
      const turns = 50 - sleepers++;
      await released.promise;
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    };
    const store = bench.open({ busyMs: 1, sleep });
    const sends = Array.from({ length: 30 }, (_, i) => post(store, "s1", "s2", `${i}`));
    const busy = [store.setBusy("s1", T0), store.setBusy("s1", null)];
    await lock.release();
    released.resolve();
    await Promise.all([...sends, ...busy]);
    expect((await store.read("s2", WIDE, T0)).messages.map((m) => m.body)).toEqual(
      Array.from({ length: 30 }, (_, i) => `${i}`),
    );
    expect((await store.find("s1"))?.busyUntil).toBeNull();
    store.close();
  });

  test("one write that fails does not stop those after it", async () => {
    await seed();
    const lock = await holdLock();
    const store = bench.open({ busyMs: 1, patienceMs: 0 });
    const failures = await Promise.all([failureOf(post(store, "s1", "s2")), failureOf(post(store, "s1", "s2"))]);
    expect(failures.map((failure) => failure.code)).toEqual(["store-busy", "store-busy"]);
    await lock.release();
    expect((await post(store, "s1", "s2")).senderId).toBe("s1");
    store.close();
  });

  test("also at the first opening", async () => {
    await seed();
    const migrating = new Database(bench.file);
    migrating.run("PRAGMA user_version = 0");
    for (const table of [
      "sessions",
      "messages",
      "name_counters",
      "leave_tombstones",
      "host_pids",
      "nudges",
      "sweeps",
    ]) {
      migrating.run(`DROP TABLE chat_${table}`);
    }
    migrating.close();
    const lock = await holdLock();
    const store = bench.open({ busyMs: 1, ...patientClock() });
    expect((await failureOf(store.roster())).code).toBe("store-busy");
    await lock.release();
    expect(await store.roster()).toEqual([]);
    store.close();
  });
});

describe("several processes", () => {
  test("that create and migrate one database at once all come to use it", async () => {
    const children = Array.from({ length: 6 }, (_, i) => startChild("register.ts", [bench.file, `${i}`, "1"]));
    for (const child of children) expect(await child.line()).toBe("ready");
    for (const child of children) child.go();
    const names = await Promise.all(children.map(async (child) => JSON.parse(await child.line())[0]));
    expect(names.sort()).toEqual(["ada", "ada-2", "ada-3", "ada-4", "ada-5", "ada-6"]);
    for (const child of children) expect(await child.exited).toBe(0);
  });

  test("that take the wakes of the same sessions get each once", async () => {
    const store = bench.open();
    await join(store, "s1");
    const sleepers = Array.from({ length: 150 }, (_, i) => `sleeper-${i}`);
    for (const id of sleepers) await join(store, id, "brook");
    await store.broadcast({ senderId: "s1", recipientIds: sleepers, body: "x", at: T0 });
    const children = Array.from({ length: 4 }, () => startChild("take-wakes.ts", [bench.file]));
    for (const child of children) expect(await child.line()).toBe("ready");
    for (const child of children) child.go();
    const taken: string[][] = await Promise.all(children.map(async (child) => JSON.parse(await child.line())));
    expect(taken.flat().sort()).toEqual(sleepers.toSorted());
    for (const child of children) expect(await child.exited).toBe(0);
    store.close();
  });

  test("killed while it sends: every message whose send returned is there, whole and once", async () => {
    await seed();
    const returned: number[] = [];
    for (let round = 0; round < 4; round++) {
      const child = startChild("send-forever.ts", [bench.file]);
      for (let i = 0; i < 15 + 10 * round; i++) returned.push(Number(await child.line()));
      child.kill();
      await child.exited;
    }
    const store = bench.open();
    const feed = await store.feed(null);
    const ids = feed.map((message) => message.id);
    expect(returned.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(feed.every((message) => message.body === "x".repeat(3000))).toBe(true);
    expect((await store.count("s2")).unread).toBe(ids.length);
    await post(store, "s1", "s2");
    store.close();
  });
});
