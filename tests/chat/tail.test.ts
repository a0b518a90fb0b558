import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTail, type Tail } from "../../src/chat/tail.ts";
import type { ChatStore } from "../../src/core/store.ts";
import type { TailEvent } from "../../src/core/tail.ts";
import type { TailFilter } from "../../src/core/tail-filter.ts";
import { newSession, testChat } from "../support/chat.ts";

const EVERYTHING: TailFilter = { grep: [], with: [], from: [], to: [], since: null, until: null };
const WIDE = { messages: 10_000, bytes: 1e9 };

let bed: ReturnType<typeof testChat>;
let store: ChatStore;
beforeEach(async () => {
  bed = testChat();
  store = bed.chat.store;
  for (const id of ["s1", "s2"]) await store.register(newSession(id), { base: id, at: 1, tombstone: "respect" });
});
afterEach(() => bed.remove());

async function post(count: number, body = "x"): Promise<void> {
  for (let n = 0; n < count; n++) await store.send({ senderId: "s1", recipientId: "s2", body, replyTo: null, at: n });
}

async function told(batches: AsyncGenerator<readonly TailEvent[]>): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of batches) all.push(...batch.map(({ event, id }) => `${event} ${id}`));
  return all;
}

function follow(filter: Partial<TailFilter> = {}, on: Pick<ChatStore, "feed" | "feedState" | "feedChanges"> = store) {
  const replaced: string[] = [];
  const tail: Tail = createTail(on, { ...EVERYTHING, ...filter }, () => replaced.push("replaced"));
  return { tail, replaced };
}

describe("the backlog and what follows", () => {
  test("share no event and miss none, whatever happens between two looks", async () => {
    await post(3);
    // Another process stores and reads in the middle of the backlog.
    const { tail } = follow(
      {},
      {
        ...store,
        feed: async (limit, before) => {
          await store.read("s2", { messages: 2, bytes: 100 }, 5);
          await post(1);
          return store.feed(limit, before);
        },
      },
    );
    expect(await told(tail.backlog(2))).toEqual(["sent 2", "sent 3", "read 2"]);
    expect(await told(tail.news())).toEqual(["sent 4", "read 1"]);
    expect(await told(tail.news())).toEqual([]);
    await store.read("s2", WIDE, 6);
    expect(await told(tail.news())).toEqual(["read 3", "read 4"]);
  });

  test("a limit of none tells only what comes, and all begins with the first", async () => {
    await post(2);
    const none = follow().tail;
    expect(await told(none.backlog(0))).toEqual([]);
    const all = follow().tail;
    expect(await told(all.backlog(null))).toEqual(["sent 1", "sent 2"]);
    await store.read("s2", WIDE, 5);
    expect(await told(none.news())).toEqual(["read 1", "read 2"]);
    expect(await told(all.news())).toEqual(["read 1", "read 2"]);
  });

  test("more messages than one page holds come whole and in order", async () => {
    await store.broadcast({ senderId: "s1", recipientIds: [], body: "x", at: 1 });
    await post(2_300);
    const expected = Array.from({ length: 2_300 }, (_, index) => `sent ${index + 1}`);
    expect(await told(follow().tail.backlog(null))).toEqual(expected);
    expect(await told(follow({ since: 2_100 }).tail.backlog(3))).toEqual(["sent 2298", "sent 2299", "sent 2300"]);
    expect(await told(follow({ until: 2 }).tail.backlog(3))).toEqual(["sent 1", "sent 2"]);
  });

  test("what fails is told the next time, and once", async () => {
    let fails = false;
    const { tail } = follow(
      {},
      {
        ...store,
        feedChanges: (state, limit) => (fails ? Promise.reject(new Error("locked")) : store.feedChanges(state, limit)),
      },
    );
    await told(tail.backlog(20));
    await post(1);
    fails = true;
    await expect(told(tail.news())).rejects.toThrow("locked");
    fails = false;
    expect(await told(tail.news())).toEqual(["sent 1"]);
    expect(await told(tail.news())).toEqual([]);
  });

  test("a session that leaves brings nothing back", async () => {
    await post(2);
    const { tail } = follow({ from: ["s1"] });
    expect(await told(tail.backlog(20))).toEqual(["sent 1", "sent 2"]);
    await store.leave("s1", 9);
    expect(await told(tail.news())).toEqual([]);
  });
});

test("another database with fewer messages is told from its beginning", async () => {
  await post(5);
  const other = testChat();
  await other.chat.store.register(newSession("s9"), { base: "new", at: 1, tombstone: "respect" });
  let current = store;
  const { tail, replaced } = follow(
    {},
    {
      feed: (...args) => current.feed(...args),
      feedState: () => current.feedState(),
      feedChanges: (...args) => current.feedChanges(...args),
    },
  );
  expect(await told(tail.backlog(1))).toEqual(["sent 5"]);
  current = other.chat.store;
  await other.chat.store.send({ senderId: "s9", recipientId: "s9", body: "x", replyTo: null, at: 1 });
  expect(await told(tail.news())).toEqual(["sent 1"]);
  expect(replaced).toEqual(["replaced"]);
  other.remove();
});
