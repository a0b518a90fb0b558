import { describe, expect } from "bun:test";
import { DAY, HOUR, join, LIMITS, type MakeBench, MINUTE, post, registered, sweep, T0 } from "./fixtures.ts";
import { storeTests } from "./with-store.ts";

const TTL = 7 * DAY;

export function pruneContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);

  describe("pruning", () => {
    storeTest("removes sessions silent for longer than the TTL, and keeps their messages", async (store) => {
      await join(store, "old", "ada", T0);
      await join(store, "edge", "brook", T0 + 1);
      await join(store, "new", "cedar", T0 + 1 + TTL);
      await post(store, "old", "new");
      await post(store, "new", "old");
      expect(await sweep(store, T0 + 1 + TTL, TTL)).toEqual({ sessions: 1, tombstones: 0 });
      expect((await store.roster()).map((row) => row.sessionId).sort()).toEqual(["edge", "new"]);
      expect((await store.feed(null)).map((m) => [m.senderName, m.recipientName])).toEqual([
        [null, "cedar"],
        ["cedar", null],
      ]);
      expect(await store.count("old")).toEqual({ unread: 1, total: 1 });
    });

    storeTest("a clock that jumped forward removes nobody", async (store) => {
      await join(store, "s1");
      await store.leave("s2", T0);
      expect(await sweep(store, T0 + 30 * DAY, TTL)).toEqual({ sessions: 0, tombstones: 0 });
      expect((await join(store, "s2")).kind).toBe("left");
    });

    storeTest(
      "a clock that jumped forward removes nobody and no wake, also once somebody has beaten by it",
      async (store) => {
        await join(store, "quiet");
        await join(store, "tui");
        await store.leave("left", T0);
        await post(store, "tui", "quiet");
        const take = await store.takeWake("quiet", T0, LIMITS);
        if (take.kind !== "wake") throw new Error(take.kind);
        await sweep(store, T0 + HOUR, TTL);
        const jumped = T0 + 30 * DAY;
        await store.beat({ sessionIds: ["tui"], busyIds: [], at: jumped, busyUntil: 0 });
        expect(await store.prune(jumped + MINUTE, TTL)).toEqual({ sessions: 0, tombstones: 0 });
        // The clock is put right.
        expect(await store.prune(T0 + 2 * HOUR, TTL)).toEqual({ sessions: 0, tombstones: 0 });
        expect((await join(store, "left")).kind).toBe("left");
        expect(await store.wakes("quiet", T0 + MINUTE, LIMITS)).toEqual([T0]);
      },
    );

    storeTest("after a month that nobody ran it takes a second sweep", async (store) => {
      await join(store, "old");
      await sweep(store, T0 + HOUR, TTL);
      await join(store, "new", "brook", T0 + 30 * DAY);
      expect(await store.prune(T0 + 30 * DAY, TTL)).toEqual({ sessions: 0, tombstones: 0 });
      expect(await store.prune(T0 + 30 * DAY + HOUR, TTL)).toEqual({ sessions: 1, tombstones: 0 });
    });

    storeTest("a tombstone that is asked for does not age", async (store) => {
      await store.leave("s1", T0);
      for (let day = 1; day <= 8; day++) expect((await join(store, "s1", "ada", T0 + day * DAY)).kind).toBe("left");
      expect(await sweep(store, T0 + 8 * DAY, TTL)).toEqual({ sessions: 0, tombstones: 0 });
      expect((await join(store, "s1", "ada", T0 + 8 * DAY)).kind).toBe("left");
    });

    storeTest("a clock that jumped back removes nobody", async (store) => {
      await join(store, "s1");
      await join(store, "future", "brook", T0 + 30 * DAY);
      expect(await sweep(store, T0, TTL)).toEqual({ sessions: 0, tombstones: 0 });
    });

    storeTest(
      "a tombstone past the TTL no longer stops a registration, and the name does not return",
      async (store) => {
        await join(store, "s1");
        await store.leave("s1", T0);
        await join(store, "s2", "brook", T0 + TTL + 1);
        expect(await sweep(store, T0 + TTL + 1, TTL)).toEqual({ sessions: 0, tombstones: 1 });
        expect(registered(await join(store, "s1")).name).toBe("ada-2");
      },
    );

    storeTest("tombstones age where no session beats", async (store) => {
      await store.leave("s1", T0);
      expect(await sweep(store, T0 + TTL, TTL)).toEqual({ sessions: 0, tombstones: 0 });
      expect(await sweep(store, T0 + TTL + 1, TTL)).toEqual({ sessions: 0, tombstones: 1 });
    });

    storeTest("sweeps wakes no window reaches, and none that one does", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      await post(store, "s1", "s2");
      for (const at of [T0, T0 + TTL]) {
        const take = await store.takeWake("s2", at, LIMITS);
        if (take.kind !== "wake") throw new Error(take.kind);
        await store.settleWake("s2", take, "unseen", at, LIMITS);
      }
      await store.beat({ sessionIds: ["s1", "s2"], busyIds: [], at: T0 + TTL + 1, busyUntil: 0 });
      await sweep(store, T0 + TTL + 1, TTL);
      const endless = { ...LIMITS, windowMs: 100 * DAY };
      expect(await store.wakes("s2", T0 + TTL + HOUR, endless)).toEqual([T0 + TTL]);
    });

    storeTest("a pruned name is told as assigned and never given again", async (store) => {
      await join(store, "s1");
      await join(store, "s2", "brook", T0 + TTL + 1);
      expect((await sweep(store, T0 + TTL + 1, TTL)).sessions).toBe(1);
      expect(await store.wasAssigned("ada")).toBe(true);
      expect(registered(await join(store, "s1")).name).toBe("ada-2");
    });
  });
}
