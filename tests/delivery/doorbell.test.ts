import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CommitProbe } from "../../src/core/store.ts";
import { type Doorbell, startDoorbell } from "../../src/delivery/doorbell.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { until } from "../../testbed/wait.ts";
import { newSession } from "../support/chat.ts";

let folder: string;
let bells: Doorbell[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thatch-bell-"));
  bells = [];
});
afterEach(() => {
  for (const bell of bells) bell.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A doorbell, how often it rang, and what it logged. */
function start(openProbe: () => CommitProbe, watcher?: typeof watch, fallbackMs?: number) {
  const state = { rings: 0, log: [] as string[] };
  bells.push(
    startDoorbell({
      openProbe,
      onCommit: () => void state.rings++,
      log: (scope, message) => void state.log.push(`${scope}: ${message}`),
      ...(watcher === undefined ? {} : { watch: watcher }),
      ...(fallbackMs === undefined ? {} : { fallbackMs }),
    }),
  );
  return state;
}

async function storeWith(...ids: string[]) {
  const store = createSqliteStore({ file: join(folder, "thatch.db") });
  for (const id of ids) await store.register(newSession(id), { base: "ada", at: Date.now(), tombstone: "respect" });
  return store;
}

/** So long that no test sees the look nobody asked for. */
const NEVER = 2 ** 30;

/** A watcher that never reports anything by itself. */
function silentWatch(): {
  watch: typeof watch;
  watcher: EventEmitter;
  started: number;
  listener: (event: string, file: string | null) => void;
} {
  const state = {
    watcher: Object.assign(new EventEmitter(), { close() {} }),
    started: 0,
    listener: (_event: string, _file: string | null) => {},
    watch: ((_folder: string, _options: object, listener: (event: string, file: string | null) => void) => {
      state.started++;
      state.listener = listener;
      return state.watcher;
    }) as unknown as typeof watch,
  };
  return state;
}

describe("the doorbell", () => {
  test("rings at a commit of another process, of another connection, and of this process's own store", async () => {
    const store = await storeWith("ses_sender", "ses_one");
    const bell = start(() => store.commitProbe());
    let before = bell.rings;
    const child = Bun.spawn([
      process.execPath,
      join(import.meta.dir, "child-send.ts"),
      join(folder, "thatch.db"),
      "ses_one",
      "1",
    ]);
    expect(await child.exited).toBe(0);
    await until("a ring for the other process", () => bell.rings > before);
    before = bell.rings;
    await store.setTopic("ses_one", "something new");
    await until("a ring for this process", () => bell.rings > before);
    store.close();
  });

  test("sees a commit whose file event came too early", async () => {
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const silent = silentWatch();
    const bell = start(() => probe, silent.watch, NEVER);
    const before = bell.rings;
    silent.listener("change", "thatch.db-wal");
    expect(bell.rings).toBe(before);
    version = 2;
    await until("the second look", () => bell.rings === before + 1);
  });

  test("sees both commits of one file event, when the second can be seen only later", async () => {
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const silent = silentWatch();
    const bell = start(() => probe, silent.watch, NEVER);
    const before = bell.rings;
    version = 2;
    silent.listener("change", "thatch.db-wal");
    expect(bell.rings).toBe(before + 1);
    version = 3;
    await until("the ring for the second", () => bell.rings === before + 2);
  });

  test("looks by itself where the file system reports no events", async () => {
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const bell = start(() => probe, silentWatch().watch, 5);
    const before = bell.rings;
    version = 2;
    await until("a ring without a file event", () => bell.rings === before + 1);
    expect(bell.log).toEqual([]);
  });

  test("sees what was committed while it began to watch", () => {
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const silent = silentWatch();
    const committing = ((...args: Parameters<typeof watch>) => {
      version = 2;
      return (silent.watch as (...all: unknown[]) => unknown)(...args);
    }) as typeof watch;
    expect(start(() => probe, committing, NEVER).rings).toBe(2);
  });

  test("does not look for files that are not the database's", () => {
    let looks = 0;
    const probe = { file: join(folder, "thatch.db"), version: () => ++looks && 1, close() {} };
    const silent = silentWatch();
    start(() => probe, silent.watch);
    const before = looks;
    silent.listener("change", "other.db-wal");
    expect(looks).toBe(before);
    silent.listener("change", "thatch.db");
    expect(looks).toBe(before + 1);
  });

  test("looks by itself where watching fails, and watches again when it can", async () => {
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const silent = silentWatch();
    let broken = true;
    const bell = start(() => probe, ((...args: Parameters<typeof watch>) => {
      if (broken) throw new Error("ENOSPC: no more watches");
      return (silent.watch as (...all: unknown[]) => unknown)(...args);
    }) as typeof watch);
    const before = bell.rings;
    version = 2;
    await until("a ring without a file event", () => bell.rings === before + 1);
    broken = false;
    await until("a new watcher", () => silent.started === 1);
    silent.watcher.emit("error", new Error("the folder is gone"));
    version = 3;
    await until("a ring after the watcher broke", () => bell.rings === before + 2);
    await until("another watcher", () => silent.started === 2);
    // Once for the watcher that could not be made, once for the one that broke.
    expect(bell.log.filter((line) => line.includes("cannot be watched")).length).toBe(2);
  });

  test("waits for a database that is not there yet, and logs it once", async () => {
    const store = createSqliteStore({ file: join(folder, "later", "thatch.db") });
    const bell = start(() => store.commitProbe());
    expect(bell.rings).toBe(0);
    await store.register(newSession("ses_one"), { base: "ada", at: 1, tombstone: "respect" });
    await until("a ring once it is there", () => bell.rings > 0);
    expect(bell.log.length).toBe(1);
    store.close();
  });

  test("follows a database that is deleted and made anew", async () => {
    const store = await storeWith("ses_one");
    const bell = start(() => store.commitProbe());
    store.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `thatch.db${suffix}`), { force: true });
    const again = await storeWith("ses_one");
    const before = bell.rings;
    await again.setTopic("ses_one", "anew");
    await until("a ring from the new file", () => bell.rings > before);
    again.close();
  });

  test("watches the folder made anew after the old one was removed with the database", async () => {
    const file = join(folder, "inner", "thatch.db");
    const open = async () => {
      const store = createSqliteStore({ file });
      await store.register(newSession("ses_one"), { base: "ada", at: 1, tombstone: "respect" });
      return store;
    };
    const store = await open();
    let events = 0;
    const counted = ((path: string, options: object, listener: (event: string, file: string | null) => void) =>
      watch(path, options, (event, name) => {
        events++;
        listener(event, name);
      })) as typeof watch;
    const bell = start(() => store.commitProbe(), counted, 5);
    store.close();
    rmSync(dirname(file), { recursive: true });
    await until("the loss to be seen", () => bell.log.length > 0);
    const again = await open();
    const before = events;
    // Commits until one raises an event: a watcher of the removed folder would never see any.
    let topic = 0;
    await until("an event in the new folder", async () => {
      await again.setTopic("ses_one", `topic ${topic++}`);
      return events > before;
    });
    again.close();
  });

  test("is silent and holds nothing once stopped", async () => {
    let version = 1;
    const closed: string[] = [];
    const probe = { file: join(folder, "thatch.db"), version: () => version, close: () => void closed.push("probe") };
    const silent = silentWatch();
    Object.assign(silent.watcher, { close: () => void closed.push("watcher") });
    const bell = start(() => probe, silent.watch, 1);
    const other = start(() => ({ ...probe, close() {} }), silentWatch().watch, 1);
    silent.listener("change", "thatch.db-wal");
    bells[0]?.stop();
    expect(closed.sort()).toEqual(["probe", "watcher"]);
    const [before, beforeOther] = [bell.rings, other.rings];
    version = 2;
    silent.listener("change", "thatch.db-wal");
    // The other one has looked by its timers, so the stopped one would have too.
    await until("the other one to ring", () => other.rings > beforeOther);
    expect(bell.rings).toBe(before);
  });

  test("keeps no process alive, and none of its own after it stopped", async () => {
    const store = await storeWith("ses_one");
    store.close();
    const script = `
      import { startDoorbell } from ${JSON.stringify(join(import.meta.dir, "../../src/delivery/doorbell.ts"))};
      import { createSqliteStore } from ${JSON.stringify(join(import.meta.dir, "../../src/store/sqlite/store.ts"))};
      const store = createSqliteStore({ file: ${JSON.stringify(join(folder, "thatch.db"))} });
      startDoorbell({ openProbe: () => store.commitProbe(), onCommit() {}, log() {} });
    `;
    const child = Bun.spawn([process.execPath, "-e", script]);
    expect(await child.exited).toBe(0);
  });
});
