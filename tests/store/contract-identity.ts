import { describe, expect } from "bun:test";
import { join, LIMITS, type MakeBench, newSession, post, sweep, T0 } from "./fixtures.ts";
import { storeTests } from "./with-store.ts";

/** What hosts without a process that beats may count on. */
export function identityContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);
  const process = (startedAt: string, pid = 7) => ({ pid, startedAt });

  describe("a sign of life", () => {
    storeTest("tells name and unread mail, and leaves what it does not speak of", async (store) => {
      await join(store, "s1");
      await post(store, "s1", "s1");
      await store.setBusy("s1", T0 + 9);
      expect(await store.signOfLife("s1", { at: T0 + 5 })).toEqual({ name: "ada", unread: 1 });
      expect(await store.find("s1")).toMatchObject({ lastSeenAt: T0 + 5, busyUntil: T0 + 9, hostMode: "tui" });
      await store.signOfLife("s1", { at: T0 + 6, busyUntil: null, hostMode: "served" });
      expect(await store.find("s1")).toMatchObject({ lastSeenAt: T0 + 6, busyUntil: null, hostMode: "served" });
      expect(await store.signOfLife("nobody", { at: T0 })).toBeNull();
    });

    storeTest("opens a closed session again, and no other", async (store) => {
      await join(store, "s1");
      await store.signOfLife("s1", { at: T0, hostMode: "closed" });
      expect((await store.find("s1"))?.hostMode).toBe("closed");
      await store.signOfLife("s1", { at: T0 });
      expect((await store.find("s1"))?.hostMode).toBeNull();
    });
  });

  describe("an anchor", () => {
    storeTest("holds for one process: a pid that is used again has another start", async (store) => {
      await store.anchor(process("monday"), "s1", T0);
      expect(await store.anchored(process("monday"))).toBe("s1");
      expect(await store.anchored(process("tuesday"))).toBeNull();
      expect(await store.anchored(process("monday", 8))).toBeNull();
      await store.anchor(process("monday"), "s2", T0);
      expect(await store.anchored(process("monday"))).toBe("s2");
    });

    storeTest("that says nothing new commits nothing", async (store, bench) => {
      await store.anchor(process("monday"), "s1", T0);
      const probe = bench.open().commitProbe();
      const before = probe.version();
      await store.anchor(process("monday"), "s1", T0 + 1);
      expect(probe.version()).toBe(before);
      probe.close();
    });

    storeTest("goes with its session when that is swept, and stays while it is there", async (store) => {
      await join(store, "s1", "ada", T0);
      await join(store, "s2", "brook", T0 + 100);
      await store.anchor(process("old"), "s1", T0);
      await store.anchor(process("kept"), "s2", T0);
      await sweep(store, T0 + 100, 50);
      expect(await store.anchored(process("old"))).toBeNull();
      expect(await store.anchored(process("kept"))).toBe("s2");
    });
  });

  describe("a continued session", () => {
    storeTest("has the name, the mail both ways, the anchors and the spent wakes of the one before", async (store) => {
      await join(store, "old", "ada");
      await join(store, "peer", "brook");
      await post(store, "peer", "old", "to");
      await post(store, "old", "peer", "from");
      await store.anchor(process("monday"), "old", T0);
      await store.takeWake("old", T0, LIMITS);
      expect(await store.continueSession("old", "new")).toBe(true);
      expect(await store.find("old")).toBeNull();
      expect((await store.find("ada"))?.sessionId).toBe("new");
      expect((await store.feed(null)).map((m) => [m.senderName, m.recipientName, m.body])).toEqual([
        ["brook", "ada", "to"],
        ["ada", "brook", "from"],
      ]);
      expect(await store.count("new")).toEqual({ unread: 1, total: 1 });
      expect(await store.anchored(process("monday"))).toBe("new");
      expect(await store.wakes("new", T0, LIMITS)).toEqual([T0]);
    });

    storeTest("that had left stays out", async (store) => {
      await join(store, "old");
      await store.leave("old", T0);
      expect(await store.continueSession("old", "new")).toBe(true);
      const outcome = await store.register(newSession("new"), { base: "cedar", at: T0, tombstone: "respect" });
      expect(outcome.kind).toBe("left");
    });

    storeTest(
      "is none for one that left itself: it is not brought back, and the other keeps all it has",
      async (store) => {
        await join(store, "new", "ada");
        await store.leave("new", T0);
        await join(store, "old", "brook");
        expect(await store.continueSession("old", "new")).toBe(false);
        expect((await store.find("old"))?.name).toBe("brook");
        expect(await store.find("new")).toBeNull();
      },
    );

    storeTest("is taken over by one of many, and the others change nothing", async (store, bench) => {
      await join(store, "old", "ada");
      const others = Array.from({ length: 4 }, () => bench.open());
      const taken = await Promise.all(others.map((other, n) => other.continueSession("old", `new${n}`)));
      for (const other of others) other.close();
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await store.roster()).map(({ name }) => name)).toEqual(["ada"]);
    });

    storeTest("is none where there is nothing to take over, or somebody is there already", async (store) => {
      await join(store, "old", "ada");
      await join(store, "other", "brook");
      expect(await store.continueSession("nobody", "new")).toBe(false);
      expect(await store.continueSession("old", "other")).toBe(false);
      expect(await store.continueSession("old", "old")).toBe(false);
      expect((await store.find("old"))?.name).toBe("ada");
      expect((await store.find("other"))?.name).toBe("brook");
    });
  });

  describe("unread mail", () => {
    storeTest("is counted, with its senders in the order they wrote", async (store) => {
      for (const [id, base] of [
        ["s1", "ada"],
        ["s2", "brook"],
        ["s3", "cedar"],
      ] as const)
        await join(store, id, base);
      expect(await store.unread("s1")).toBeNull();
      for (const from of ["s3", "s2", "s3"]) await post(store, from, "s1");
      await store.leave("s2", T0);
      expect(await store.unread("s1")).toEqual({ count: 3, senders: ["cedar", null] });
    });
  });
}
