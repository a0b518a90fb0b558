import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { watch } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
function start(openProbe: () => CommitProbe, watcher?: typeof watch) {
  const state = { rings: 0, log: [] as string[] };
  bells.push(
    startDoorbell({
      openProbe,
      onCommit: () => void state.rings++,
      log: (scope, message) => void state.log.push(`${scope}: ${message}`),
      ...(watcher === undefined ? {} : { watch: watcher }),
    }),
  );
  return state;
}

async function storeWith(...ids: string[]) {
  const store = createSqliteStore({ file: join(folder, "thatch.db") });
  for (const id of ids) await store.register(newSession(id), { base: "ada", at: Date.now(), tombstone: "respect" });
  return store;
}

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
    const store = await storeWith("ses_one");
    let version = 1;
    const probe = { file: join(folder, "thatch.db"), version: () => version, close() {} };
    const silent = silentWatch();
    const bell = start(() => probe, silent.watch);
    const before = bell.rings;
    silent.listener("change", "thatch.db-wal");
    expect(bell.rings).toBe(before);
    version = 2;
    await until("the second look", () => bell.rings === before + 1);
    store.close();
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
