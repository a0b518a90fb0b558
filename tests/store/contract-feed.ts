import { describe, expect } from "bun:test";
import { NOTHING_TOLD } from "../../src/core/tail.ts";
import { join, type MakeBench, post, T0, WIDE } from "./fixtures.ts";
import { storeTests } from "./with-store.ts";

/** What a follower of all mailboxes may count on. */
export function feedContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);
  const ids = (messages: readonly { id: number }[]) => messages.map(({ id }) => id);

  describe("following", () => {
    storeTest("pages backward through the feed", async (store) => {
      await join(store, "s1");
      for (const body of ["a", "b", "c", "d"]) await post(store, "s1", "s1", body);
      expect(ids(await store.feed(2, 4))).toEqual([2, 3]);
      expect(ids(await store.feed(2, 2))).toEqual([1]);
      expect(ids(await store.feed(null, 4))).toEqual([1, 2, 3]);
      expect(ids(await store.feed(9, 1))).toEqual([]);
    });

    storeTest("begins with what there is, and hears of what is new and what was read", async (store) => {
      expect(await store.feedState()).toEqual({ newestId: 0, unread: new Set() });
      await join(store, "s1");
      await join(store, "s2");
      for (const body of ["a", "b", "c"]) await post(store, "s1", "s2", body);
      await store.read("s2", { messages: 1, bytes: 100 }, T0);
      const state = await store.feedState();
      expect(state).toEqual({ newestId: 3, unread: new Set([2, 3]) });
      expect(await store.feedChanges(state, 10)).toEqual({ messages: [], newestId: 3 });
      await store.read("s2", { messages: 1, bytes: 100 }, T0 + 1);
      await post(store, "s2", "s1", "d");
      const { messages, newestId } = await store.feedChanges(state, 10);
      expect(messages.map((m) => [m.id, m.readAt, m.senderName])).toEqual([
        [2, T0 + 1, "ada"],
        [4, null, "ada-2"],
      ]);
      expect(newestId).toBe(4);
    });

    storeTest("takes the oldest of many new messages, and all that were read", async (store) => {
      await join(store, "s1");
      for (let n = 0; n < 5; n++) await post(store, "s1", "s1", "x");
      expect(ids((await store.feedChanges(NOTHING_TOLD, 2)).messages)).toEqual([1, 2]);
      expect(ids((await store.feedChanges({ newestId: 2, unread: new Set() }, 2)).messages)).toEqual([3, 4]);
      await store.read("s1", WIDE, T0);
      const known = { newestId: 4, unread: new Set([1, 2, 3, 4, 99]) };
      expect(ids((await store.feedChanges(known, 1)).messages)).toEqual([1, 2, 3, 4, 5]);
    });
  });
}
