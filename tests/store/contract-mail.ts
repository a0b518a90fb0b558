import { describe, expect } from "bun:test";
import { COUNTED_READ_MESSAGES } from "../../src/core/store.ts";
import { join, type MakeBench, post, sent, T0, WIDE } from "./fixtures.ts";
import { HOSTILE_BODIES } from "./hostile-bodies.ts";
import { storeTests } from "./with-store.ts";

export function mailContract(makeBench: MakeBench): void {
  const storeTest = storeTests(makeBench);

  describe("sending", () => {
    storeTest("stores a message and returns it", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      const message = await post(store, "s1", "s2", "roof?", T0 + 3);
      expect(message).toEqual({
        id: message.id,
        senderId: "s1",
        recipientId: "s2",
        body: "roof?",
        viaBroadcast: false,
        replyTo: null,
        sentAt: T0 + 3,
        noticedAt: null,
        deliveredAt: null,
        readAt: null,
      });
      expect(await store.count("s2")).toEqual({ unread: 1, total: 1 });
    });

    storeTest("tells which end is missing, and writes nothing then", async (store) => {
      await join(store, "s1");
      const letter = { body: "x", replyTo: null, at: T0 };
      expect(await store.send({ ...letter, senderId: "ghost", recipientId: "s1" })).toEqual({ kind: "sender-missing" });
      expect(await store.send({ ...letter, senderId: "s1", recipientId: "ghost" })).toEqual({
        kind: "recipient-missing",
      });
      expect(await store.send({ ...letter, senderId: "ghost", recipientId: "ghost" })).toEqual({
        kind: "sender-missing",
      });
      expect(await store.feed(null)).toEqual([]);
    });

    storeTest("answers only a message between the two", async (store) => {
      for (const id of ["s1", "s2", "s3"]) await join(store, id);
      const first = await post(store, "s1", "s2");
      const answer = { recipientId: "s1", body: "yes", at: T0, replyTo: first.id };
      expect(sent(await store.send({ ...answer, senderId: "s2" })).replyTo).toBe(first.id);
      expect(sent(await store.send({ ...answer, senderId: "s1", recipientId: "s2" })).replyTo).toBe(first.id);
      expect(await store.send({ ...answer, senderId: "s3" })).toEqual({ kind: "reply-missing" });
      expect(await store.send({ ...answer, senderId: "s1", recipientId: "s3" })).toEqual({ kind: "reply-missing" });
      expect(await store.send({ ...answer, senderId: "s2", replyTo: 999 })).toEqual({ kind: "reply-missing" });
      expect((await store.feed(null)).length).toBe(3);
    });

    storeTest("orders by arrival, whatever the clock says", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      for (const [body, at] of [
        ["a", 30],
        ["b", 10],
        ["c", 20],
      ] as const)
        await post(store, "s1", "s2", body, T0 + at);
      expect((await store.read("s2", WIDE, T0)).messages.map((m) => m.body)).toEqual(["a", "b", "c"]);
    });
  });

  describe("broadcasting", () => {
    storeTest("stores one message for each registered recipient", async (store) => {
      for (const id of ["s1", "s2", "s3"]) await join(store, id);
      const outcome = await store.broadcast({
        senderId: "s1",
        recipientIds: ["s3", "ghost", "s2", "s3"],
        body: "all",
        at: T0,
      });
      if (outcome.kind !== "sent") throw new Error(outcome.kind);
      expect(outcome.messages.map((m) => m.recipientId)).toEqual(["s3", "s2"]);
      const ids = outcome.messages.map((m) => m.id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect((await store.feed(null)).map((m) => [m.recipientId, m.body, m.viaBroadcast, m.senderId])).toEqual([
        ["s3", "all", true, "s1"],
        ["s2", "all", true, "s1"],
      ]);
    });

    storeTest("to nobody is no failure, from nobody is one", async (store) => {
      await join(store, "s1");
      expect(await store.broadcast({ senderId: "s1", recipientIds: ["ghost"], body: "x", at: T0 })).toEqual({
        kind: "sent",
        messages: [],
      });
      expect(await store.broadcast({ senderId: "s1", recipientIds: [], body: "x", at: T0 })).toEqual({
        kind: "sent",
        messages: [],
      });
      expect(await store.broadcast({ senderId: "ghost", recipientIds: ["s1"], body: "x", at: T0 })).toEqual({
        kind: "sender-missing",
      });
      expect(await store.feed(null)).toEqual([]);
    });
  });

  describe("reading", () => {
    storeTest("pages by count, oldest first, and stamps only what it returned", async (store, bench) => {
      await join(store, "s1");
      await join(store, "s2");
      for (const body of ["a", "b", "c"]) await post(store, "s1", "s2", body);
      const page = await store.read("s2", { messages: 2, bytes: 1000 }, T0 + 7);
      expect(page.messages.map((m) => [m.body, m.readAt, m.senderName, m.recipientName])).toEqual([
        ["a", T0 + 7, "ada", "ada-2"],
        ["b", T0 + 7, "ada", "ada-2"],
      ]);
      expect(page.remaining).toBe(1);
      const other = bench.open();
      expect((await other.feed(null)).map((m) => m.readAt)).toEqual([T0 + 7, T0 + 7, null]);
      expect((await other.read("s2", WIDE, T0 + 8)).messages.map((m) => m.body)).toEqual(["c"]);
      expect(await store.read("s2", WIDE, T0 + 9)).toEqual({ messages: [], remaining: 0 });
      other.close();
    });

    storeTest("pages by bytes of UTF-8, and returns one message whatever its size", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      for (const body of ["éé", "é", "x", "a much longer one", "y"]) await post(store, "s1", "s2", body);
      const pages: string[][] = [];
      const remaining: number[] = [];
      while ((await store.count("s2")).unread > 0) {
        const page = await store.read("s2", { messages: 9, bytes: 6 }, T0);
        pages.push(page.messages.map((m) => m.body));
        remaining.push(page.remaining);
      }
      expect(pages).toEqual([["éé", "é"], ["x"], ["a much longer one"], ["y"]]);
      expect(remaining).toEqual([3, 2, 1, 0]);
    });

    storeTest("two readers share the mail, and nothing is read twice", async (store, bench) => {
      await join(store, "s1");
      await join(store, "s2");
      for (let i = 0; i < 40; i++) await post(store, "s1", "s2", `${i}`);
      const other = bench.open();
      const pages = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? other : store).read("s2", { messages: 3, bytes: 1000 }, T0)),
      );
      const bodies = pages.flatMap((page) => page.messages.map((m) => Number(m.body))).sort((a, b) => a - b);
      expect(bodies).toEqual(Array.from({ length: 40 }, (_, i) => i));
      other.close();
    });

    storeTest("shows read mail again, newest kept where the limits bite, stamping nothing", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      for (const body of ["a", "bb", "cc", "dd"]) await post(store, "s1", "s2", body);
      await store.read("s2", { messages: 3, bytes: 1000 }, T0);
      const before = await store.feed(null);
      const bodies = async (messages: number, bytes: number) => {
        return (await store.readAgain("s2", { messages, bytes })).map((m) => m.body);
      };
      expect(await bodies(9, 1000)).toEqual(["a", "bb", "cc"]);
      expect(await bodies(2, 1000)).toEqual(["bb", "cc"]);
      expect(await bodies(9, 3)).toEqual(["cc"]);
      expect(await bodies(9, 1)).toEqual(["cc"]);
      expect(await store.readAgain("s1", WIDE)).toEqual([]);
      expect(await store.feed(null)).toEqual(before);
    });

    storeTest("counts unread and all", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      for (let i = 0; i < 3; i++) await post(store, "s1", "s2");
      await store.read("s2", { messages: 1, bytes: 1000 }, T0);
      expect(await store.count("s2")).toEqual({ unread: 2, total: 3 });
      expect(await store.count("s1")).toEqual({ unread: 0, total: 0 });
      expect((await store.roster()).map((r) => [r.sessionId, r.unread]).sort()).toEqual([
        ["s1", 0],
        ["s2", 2],
      ]);
    });

    storeTest("counts what was read to a thousand and no further, and what is unread to its end", async (store) => {
      await join(store, "s1");
      await join(store, "s2");
      const limits = { messages: COUNTED_READ_MESSAGES + 1, bytes: 1_000_000 };
      for (const more of [COUNTED_READ_MESSAGES - 1, 1, 1]) {
        for (let n = 0; n < more; n++) await post(store, "s1", "s2");
        await store.read("s2", limits, T0);
      }
      expect(await store.count("s2")).toEqual({ unread: 0, total: COUNTED_READ_MESSAGES });
      for (let n = 0; n < COUNTED_READ_MESSAGES + 1; n++) await post(store, "s1", "s2");
      expect(await store.count("s2")).toEqual({
        unread: COUNTED_READ_MESSAGES + 1,
        total: 2 * COUNTED_READ_MESSAGES + 1,
      });
    });

    storeTest("feeds the newest messages of all mailboxes, with the names of now", async (store) => {
      for (const id of ["s1", "s2", "s3"]) await join(store, id);
      await post(store, "s1", "s2", "a");
      await post(store, "s2", "s3", "b");
      await post(store, "s3", "s1", "c");
      await store.leave("s2", T0);
      const seen = (feed: Awaited<ReturnType<typeof store.feed>>) =>
        feed.map((m) => [m.body, m.senderName, m.recipientName]);
      expect(seen(await store.feed(null))).toEqual([
        ["a", "ada", null],
        ["b", null, "ada-3"],
        ["c", "ada-3", "ada"],
      ]);
      expect(seen(await store.feed(2))).toEqual([
        ["b", null, "ada-3"],
        ["c", "ada-3", "ada"],
      ]);
      expect(await store.feed(0)).toEqual([]);
    });
  });

  describe("bodies", () => {
    for (const [title, body] of HOSTILE_BODIES) {
      storeTest(`come back to the byte: ${title}`, async (store, bench) => {
        await join(store, "s1");
        await join(store, "s2");
        expect((await post(store, "s1", "s2", body)).body === body).toBe(true);
        const other = bench.open();
        expect((await other.feed(1))[0]?.body === body).toBe(true);
        expect((await other.read("s2", WIDE, T0)).messages[0]?.body === body).toBe(true);
        expect((await other.readAgain("s2", WIDE))[0]?.body === body).toBe(true);
        other.close();
      });
    }
  });
}
