import { describe, expect } from "bun:test";
import { join, type MakeBench, newSession, post, registered, T0, WIDE } from "./fixtures.ts";
import { storeTests } from "./with-store.ts";

export function directoryContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);

  describe("registration", () => {
    storeTest("creates a row with all it was given, under the first name of its base", async (store) => {
      const fresh = newSession("s1", { topic: "fix the roof", hostMode: "serve", worktree: "worktree" });
      const outcome = await store.register(fresh, { base: "ada", at: T0, tombstone: "respect" });
      const row = { ...fresh, name: "ada", registeredAt: T0, lastSeenAt: T0, busyUntil: null };
      expect(outcome).toEqual({ kind: "created", session: row });
      expect(await store.roster()).toEqual([{ ...row, unread: 0 }]);
    });

    storeTest("numbers the names of one base", async (store) => {
      const names = [];
      for (const id of ["s1", "s2", "s3"]) names.push(registered(await join(store, id)).name);
      names.push(registered(await join(store, "s4", "brook")).name);
      expect(names).toEqual(["ada", "ada-2", "ada-3", "brook"]);
    });

    storeTest("keeps name, registration time and checkout kind, and renews the rest", async (store) => {
      await join(store, "s1");
      const again = newSession("s1", {
        host: "mcp",
        hostMode: null,
        topic: "new",
        project: "p2",
        directory: "/d2",
        worktree: "worktree",
      });
      const outcome = await store.register(again, { base: "brook", at: T0 + 5, tombstone: "respect" });
      const kept = { ...again, worktree: "root", name: "ada", registeredAt: T0, lastSeenAt: T0 + 5, busyUntil: null };
      expect(outcome).toEqual({ kind: "kept", session: kept } as typeof outcome);
      expect(registered(await join(store, "s2", "brook")).name).toBe("brook");
    });

    storeTest("keeps the topic when none is given", async (store) => {
      await store.register(newSession("s1", { topic: "roof" }), { base: "ada", at: T0, tombstone: "respect" });
      expect(registered(await join(store, "s1")).topic).toBe("roof");
    });

    storeTest("is stopped by a tombstone, and writes nothing then", async (store) => {
      await join(store, "s1");
      await store.leave("s1", T0 + 1);
      expect(await join(store, "s1")).toEqual({ kind: "left" });
      expect(await store.roster()).toEqual([]);
      expect(registered(await join(store, "s2")).name).toBe("ada-2");
    });

    storeTest("clears the tombstone when told to, under a fresh name", async (store) => {
      await join(store, "s1");
      await store.leave("s1", T0 + 1);
      const back = await store.register(newSession("s1"), { base: "ada", at: T0 + 2, tombstone: "clear" });
      expect(back.kind).toBe("created");
      expect(registered(back).name).toBe("ada-2");
      expect((await join(store, "s1")).kind).toBe("kept");
    });
  });

  describe("leaving", () => {
    storeTest("removes and returns the row, and leaves the messages", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      await post(store, "s1", "s2");
      const row = await store.find("s1");
      expect(row).not.toBeNull();
      expect(await store.leave("s1", T0)).toEqual(row);
      expect(await store.find("s1")).toBeNull();
      expect(await store.count("s2")).toEqual({ unread: 1, total: 1 });
      expect((await store.read("s2", WIDE, T0)).messages.map((m) => [m.senderName, m.recipientName])).toEqual([
        [null, "ada-2"],
      ]);
    });

    storeTest("leaves a tombstone where there was no row", async (store) => {
      expect(await store.leave("s1", T0)).toBeNull();
      expect((await join(store, "s1")).kind).toBe("left");
    });
  });

  describe("finding", () => {
    storeTest("goes by id, then by name whatever its case, and never by a part", async (store) => {
      await join(store, "s1");
      await join(store, "ada", "brook");
      expect((await store.find("ada"))?.sessionId).toBe("ada");
      expect((await store.find("ADA"))?.sessionId).toBe("s1");
      expect((await store.find("bRooK"))?.sessionId).toBe("ada");
      expect(await store.find("S1")).toBeNull();
      expect(await store.find("ad")).toBeNull();
      expect(await store.find("")).toBeNull();
    });

    storeTest("by the start of an id gives all that begin so, in their order, and minds the case", async (store) => {
      for (const id of ["ses_b", "ses_a2", "ses_a1", "ses_a\u{10fffe}", "SES_a", "ses_%"]) await join(store, id);
      const found = async (start: string) => (await store.startingWith(start)).map((session) => session.sessionId);
      expect(await found("ses_a")).toEqual(["ses_a1", "ses_a2", "ses_a\u{10fffe}"]);
      expect(await found("ses_a1")).toEqual(["ses_a1"]);
      expect(await found("ses_%")).toEqual(["ses_%"]);
      expect(await found("ses_c")).toEqual([]);
      expect((await store.startingWith("ses_b"))[0]).toEqual((await store.find("ses_b")) ?? undefined);
    });

    storeTest("tells which names were ever assigned", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      await store.leave("s2", T0);
      for (const name of ["ada", "Ada", "ada-2", "ADA-2"])
        expect([name, await store.wasAssigned(name)]).toEqual([name, true]);
      for (const name of ["ada-3", "ada-1", "ada-02", "ada-", "brook", "", "-2"]) {
        expect([name, await store.wasAssigned(name)]).toEqual([name, false]);
      }
    });
  });

  describe("heartbeats, turns and topics", () => {
    storeTest("a beat renews those it names, and passes over unregistered ones", async (store) => {
      for (const id of ["s1", "s2", "s3"]) await join(store, id, id);
      await store.beat({ sessionIds: ["s1", "s2", "ghost"], busyIds: ["s2", "ghost"], at: T0 + 9, busyUntil: T0 + 60 });
      expect((await store.roster()).map((r) => [r.sessionId, r.lastSeenAt, r.busyUntil]).sort()).toEqual([
        ["s1", T0 + 9, null],
        ["s2", T0 + 9, T0 + 60],
        ["s3", T0, null],
      ]);
      await store.beat({ sessionIds: ["s2"], busyIds: ["s2"], at: T0 + 10, busyUntil: T0 + 90 });
      expect((await store.find("s2"))?.busyUntil).toBe(T0 + 90);
      await store.beat({ sessionIds: ["s2"], busyIds: [], at: T0 + 11, busyUntil: T0 + 120 });
      expect((await store.find("s2"))?.busyUntil).toBe(T0 + 90);
    });

    storeTest("takes an end of a turn that is no whole millisecond", async (store) => {
      await join(store, "s1");
      await store.beat({ sessionIds: ["s1"], busyIds: ["s1"], at: T0, busyUntil: T0 + 0.5 });
      expect((await store.find("s1"))?.busyUntil).toBe(T0);
    });

    storeTest("a turn is marked and unmarked, a topic set", async (store) => {
      await join(store, "s1");
      await store.setBusy("s1", T0 + 60);
      expect((await store.find("s1"))?.busyUntil).toBe(T0 + 60);
      await store.setBusy("s1", null);
      expect((await store.find("s1"))?.busyUntil).toBeNull();
      await store.setTopic("s1", "roof");
      expect((await store.find("s1"))?.topic).toBe("roof");
      await store.setBusy("ghost", T0);
      await store.setTopic("ghost", "x");
      expect((await store.roster()).length).toBe(1);
    });

    storeTest("a change to what already stands commits nothing", async (store) => {
      await join(store, "s1");
      await store.setTopic("s1", "roof");
      const probe = store.commitProbe();
      const before = probe.version();
      await store.setTopic("s1", "roof");
      await store.setBusy("s1", null);
      await store.beat({ sessionIds: [], busyIds: [], at: T0, busyUntil: T0 });
      expect(probe.version()).toBe(before);
      await store.setBusy("s1", T0);
      expect(probe.version()).not.toBe(before);
      probe.close();
    });
  });
}
