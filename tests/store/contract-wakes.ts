import { describe, expect } from "bun:test";
import fc from "fast-check";
import type { ChatStore, WakeOutcome, WakeTake } from "../../src/core/store.ts";
import { isDue } from "../../src/core/wake.ts";
import { HOUR, join, LIMITS, type MakeBench, MINUTE, post, T0, WIDE } from "./fixtures.ts";
import { storeTests } from "./with-store.ts";

async function take(store: ChatStore, at: number): Promise<Extract<WakeTake, { kind: "wake" }>> {
  const outcome = await store.takeWake("s2", at, LIMITS);
  if (outcome.kind !== "wake") throw new Error(`no wake: ${outcome.kind}`);
  return outcome;
}

async function wakeOnce(store: ChatStore, at: number, outcome: WakeOutcome): Promise<void> {
  await store.settleWake("s2", await take(store, at), outcome, at, LIMITS);
}

async function pair(store: ChatStore): Promise<void> {
  await join(store, "s1", "ada");
  await join(store, "s2", "brook");
}

export function wakeContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);

  describe("due mail", () => {
    storeTest("is found for registered sessions that were asked for", async (store) => {
      await pair(store);
      await join(store, "s3");
      await post(store, "s1", "s2");
      await post(store, "s1", "s3");
      await store.leave("s3", T0);
      expect(await store.due(["s1", "s2", "s3", "ghost"], T0, LIMITS)).toEqual(["s2"]);
      expect(await store.due(["s1"], T0, LIMITS)).toEqual([]);
      expect(await store.due([], T0, LIMITS)).toEqual([]);
    });

    storeTest("is what the rule of the core says", async (store) => {
      await pair(store);
      const stamp = fc.integer({ min: -20, max: 20 }).map((minutes) => T0 + minutes * MINUTE);
      const row = fc.record({ deliveredAt: fc.option(stamp), read: fc.boolean(), now: stamp });
      await fc.assert(
        fc.asyncProperty(row, async ({ deliveredAt, read, now }) => {
          // A recipient of its own for every row, so that no other message decides.
          const id = crypto.randomUUID();
          await join(store, id);
          await post(store, "s1", id);
          if (deliveredAt !== null) {
            const wake = await store.takeWake(id, deliveredAt, LIMITS);
            if (wake.kind !== "wake") throw new Error(wake.kind);
            await store.settleWake(id, wake, "started", deliveredAt, LIMITS);
          }
          if (read) await store.read(id, WIDE, T0);
          const [message] = (await store.feed(1)).filter((m) => m.recipientId === id);
          if (!message) throw new Error("the message is gone");
          expect(message.deliveredAt).toBe(deliveredAt);
          expect((await store.due([id], now, LIMITS)).length === 1).toBe(isDue(message, now, LIMITS));
          const kind = (await store.takeWake(id, now, LIMITS)).kind;
          expect(kind === "wake").toBe(isDue(message, now, LIMITS));
        }),
        { numRuns: 150 },
      );
    });
  });

  describe("taking a wake", () => {
    storeTest("covers all due mail, and names each sender once in the order they wrote", async (store) => {
      await pair(store);
      await join(store, "s3", "cedar");
      await join(store, "s4", "dune");
      for (const from of ["s3", "s1", "s4", "s3"]) await post(store, from, "s2");
      await store.leave("s4", T0);
      const last = await post(store, "s1", "s2");
      const wake = await take(store, T0);
      expect(wake).toEqual({
        kind: "wake",
        lease: wake.lease,
        upToId: last.id,
        count: 5,
        senders: ["cedar", "ada", null],
      });
      expect(await store.wakes("s2", T0, LIMITS)).toEqual([T0]);
    });

    storeTest("there is nothing to take without due mail or without a row", async (store) => {
      await pair(store);
      expect(await store.takeWake("s2", T0, LIMITS)).toEqual({ kind: "nothing" });
      await post(store, "s1", "s2");
      await store.leave("s2", T0);
      expect(await store.takeWake("s2", T0, LIMITS)).toEqual({ kind: "nothing" });
      expect(await store.wakes("s2", T0, LIMITS)).toEqual([]);
    });

    storeTest("one deliverer at a time, until the lease runs out", async (store, bench) => {
      await pair(store);
      await post(store, "s1", "s2");
      const other = bench.open();
      const takes = await Promise.all([store, other, store, other].map((s) => s.takeWake("s2", T0, LIMITS)));
      expect(takes.map((t) => t.kind).sort()).toEqual(["leased", "leased", "leased", "wake"]);
      expect((await other.takeWake("s2", T0 + LIMITS.leaseMs - 1, LIMITS)).kind).toBe("leased");
      expect((await other.takeWake("s2", T0 + LIMITS.leaseMs, LIMITS)).kind).toBe("wake");
      other.close();
    });

    storeTest("a lease from a clock that jumped does not hold", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await take(store, T0 + HOUR);
      expect((await store.takeWake("s2", T0, LIMITS)).kind).toBe("wake");
    });

    storeTest("a running turn holds the wake back, until it ends or its mark runs out", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await store.setBusy("s2", T0 + MINUTE);
      expect(await store.takeWake("s2", T0, LIMITS)).toEqual({ kind: "busy" });
      expect((await store.takeWake("s2", T0 + MINUTE, LIMITS)).kind).toBe("wake");
      await store.setBusy("s2", T0 + 2 * HOUR);
      expect((await store.takeWake("s2", T0 + MINUTE, LIMITS)).kind).toBe("leased");
      await store.setBusy("s2", T0 + 3 * MINUTE);
      expect((await store.takeWake("s2", T0 + 2 * MINUTE, LIMITS)).kind).toBe("busy");
      await store.setBusy("s2", null);
      expect((await store.takeWake("s2", T0 + 2 * MINUTE, LIMITS)).kind).toBe("wake");
    });

    storeTest(
      "the budget is kept across leaving and other connections, and refills with its window",
      async (store, bench) => {
        await pair(store);
        for (let i = 0; i < LIMITS.cap; i++) {
          await post(store, "s1", "s2");
          await wakeOnce(store, T0 + i * MINUTE, "started");
        }
        await post(store, "s1", "s2");
        await store.leave("s2", T0);
        const other = bench.open();
        await other.register(
          {
            sessionId: "s2",
            host: "opencode",
            hostMode: "tui",
            topic: null,
            project: null,
            directory: "/",
            worktree: null,
          },
          { base: "brook", at: T0, tombstone: "clear" },
        );
        expect(await other.takeWake("s2", T0 + 3 * MINUTE, LIMITS)).toEqual({ kind: "capped", freeAt: T0 + HOUR });
        expect(await other.wakes("s2", T0 + 3 * MINUTE, LIMITS)).toEqual([T0, T0 + MINUTE, T0 + 2 * MINUTE]);
        expect(await other.takeWake("s2", T0 - 30 * MINUTE, LIMITS)).toEqual({ kind: "capped", freeAt: T0 + HOUR });
        expect((await other.takeWake("s2", T0 + HOUR, LIMITS)).kind).toBe("wake");
        expect(await other.wakes("s1", T0, LIMITS)).toEqual([]);
        other.close();
      },
    );
  });

  describe("settling a wake", () => {
    storeTest("started: the covered mail is delivered and due again after the re-nudge window", async (store) => {
      await pair(store);
      await post(store, "s1", "s2", "covered");
      const wake = await take(store, T0);
      await post(store, "s1", "s2", "later");
      await store.settleWake("s2", wake, "started", T0 + 5, LIMITS);
      expect((await store.feed(null)).map((m) => m.deliveredAt)).toEqual([T0 + 5, null]);
      const next = await take(store, T0 + 6);
      // Both are unread, and the one that is due brings the other along.
      expect([next.count, next.upToId]).toEqual([2, wake.upToId + 1]);
      await store.settleWake("s2", next, "started", T0 + 6, LIMITS);
      // The second wake also renewed the stamp of the older message, which its reader finds in the same inbox.
      expect(await store.due(["s2"], T0 + 5 + LIMITS.renudgeMs, LIMITS)).toEqual([]);
      expect(await store.due(["s2"], T0 + 6 + LIMITS.renudgeMs, LIMITS)).toEqual(["s2"]);
      expect((await take(store, T0 + 6 + LIMITS.renudgeMs)).count).toBe(2);
    });

    storeTest("started: mail that was read meanwhile is not stamped", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      const wake = await take(store, T0);
      await store.read("s2", WIDE, T0);
      await store.settleWake("s2", wake, "started", T0, LIMITS);
      expect((await store.feed(null)).map((m) => m.deliveredAt)).toEqual([null]);
    });

    storeTest("unseen: the mail stays due, the charge stays, the lease is free", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await wakeOnce(store, T0, "unseen");
      expect(await store.due(["s2"], T0, LIMITS)).toEqual(["s2"]);
      expect(await store.wakes("s2", T0, LIMITS)).toEqual([T0]);
      expect((await store.takeWake("s2", T0 + 1, LIMITS)).kind).toBe("wake");
    });

    storeTest("rejected: the mail stays due, and exactly one charge is given back", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await wakeOnce(store, T0, "unseen");
      await wakeOnce(store, T0, "rejected");
      expect(await store.wakes("s2", T0, LIMITS)).toEqual([T0]);
      expect(await store.due(["s2"], T0, LIMITS)).toEqual(["s2"]);
      for (let i = 1; i < 10; i++) await wakeOnce(store, T0 + i, "rejected");
      expect(await store.wakes("s2", T0, LIMITS)).toEqual([T0]);
    });

    storeTest("a deliverer that comes late does not free another one's lease, but its stamp stands", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      const late = await take(store, T0);
      const now = T0 + LIMITS.leaseMs + 1;
      await take(store, now);
      await store.settleWake("s2", late, "started", now, LIMITS);
      expect((await store.feed(null)).map((m) => m.deliveredAt)).toEqual([now]);
      await post(store, "s1", "s2");
      expect((await store.takeWake("s2", now + 1, LIMITS)).kind).toBe("leased");
    });
  });

  describe("notice", () => {
    storeTest(
      "tells of mail whose delivery is stamped in the future, as a clock that was set back leaves it",
      async (store) => {
        await join(store, "s1");
        await join(store, "s2", "brook");
        await post(store, "s1", "s2");
        const take = await store.takeWake("s2", T0 + HOUR, LIMITS);
        if (take.kind !== "wake") throw new Error(take.kind);
        await store.settleWake("s2", take, "started", T0 + HOUR, LIMITS);
        expect(await store.due(["s2"], T0, LIMITS)).toEqual(["s2"]);
        expect(await store.notice("s2", T0)).toEqual({ count: 1, senders: ["ada"] });
      },
    );

    storeTest("is given once a message, and is no delivery", async (store) => {
      await pair(store);
      await join(store, "s3", "cedar");
      for (const from of ["s3", "s1", "s3"]) await post(store, from, "s2");
      expect(await store.notice("s2", T0 + 4)).toEqual({ count: 3, senders: ["cedar", "ada"] });
      expect((await store.feed(null)).map((m) => [m.noticedAt, m.deliveredAt])).toEqual(Array(3).fill([T0 + 4, null]));
      expect(await store.notice("s2", T0 + 5)).toBeNull();
      await post(store, "s1", "s2");
      expect(await store.notice("s2", T0 + 6)).toEqual({ count: 1, senders: ["ada"] });
      expect(await store.due(["s2"], T0, LIMITS)).toEqual(["s2"]);
    });

    storeTest("leaves out what was delivered or read, and sessions that left", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await wakeOnce(store, T0, "started");
      expect(await store.notice("s2", T0)).toBeNull();
      expect(await store.notice("s2", T0 + MINUTE - 1)).toBeNull();
      await post(store, "s1", "s2");
      await store.read("s2", WIDE, T0);
      expect(await store.notice("s2", T0)).toBeNull();
      await post(store, "s1", "s2");
      await store.leave("s2", T0);
      expect(await store.notice("s2", T0)).toBeNull();
    });
  });

  describe("a process that looked at the clock before another one's wake", () => {
    storeTest("and gets its turn after it does not wake again", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await wakeOnce(store, T0 + 5, "started");
      expect(await store.takeWake("s2", T0, LIMITS)).toEqual({ kind: "nothing" });
      expect(await store.due(["s2"], T0, LIMITS)).toEqual([]);
      await post(store, "s1", "s2");
      await take(store, T0 + 9);
      expect(await store.takeWake("s2", T0 + 6, LIMITS)).toEqual({ kind: "leased" });
      // A stamp that is far ahead is a jumped clock's.
      expect(await store.due(["s2"], T0 - MINUTE, LIMITS)).toEqual(["s2"]);
    });
  });

  describe("mail of a wake that was aborted before it was read", () => {
    storeTest("is told under a tool result of a later turn, once", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await wakeOnce(store, T0, "started");
      expect(await store.notice("s2", T0 + MINUTE)).toEqual({ count: 1, senders: ["ada"] });
      expect(await store.notice("s2", T0 + 2 * MINUTE)).toBeNull();
    });
  });

  describe("a pass that finds nothing to do", () => {
    storeTest("commits nothing", async (store) => {
      await pair(store);
      await post(store, "s1", "s2");
      await take(store, T0);
      await store.notice("s2", T0);
      const probe = store.commitProbe();
      const before = probe.version();
      expect((await store.takeWake("s2", T0, LIMITS)).kind).toBe("leased");
      expect((await store.takeWake("s1", T0, LIMITS)).kind).toBe("nothing");
      expect(await store.notice("s2", T0)).toBeNull();
      expect(await store.read("s1", WIDE, T0)).toEqual({ messages: [], remaining: 0 });
      expect(probe.version()).toBe(before);
      await post(store, "s1", "s2");
      expect(probe.version()).not.toBe(before);
      probe.close();
    });
  });
}
