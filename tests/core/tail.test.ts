import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { NamedMessage } from "../../src/core/message.ts";
import { NOTHING_TOLD, tailDiff } from "../../src/core/tail.ts";
import { filterFeed, parseWhen, type TailFilter } from "../../src/core/tail-filter.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const ISO = "2026-01-02T03:04:05.000Z";

function message(id: number, more: Partial<NamedMessage> = {}): NamedMessage {
  return {
    id,
    senderId: "s1",
    recipientId: "s2",
    senderName: "ada",
    recipientName: "brook",
    body: `body ${id}`,
    viaBroadcast: false,
    replyTo: null,
    sentAt: AT,
    noticedAt: null,
    deliveredAt: null,
    readAt: null,
    ...more,
  };
}
const EMPTY = NOTHING_TOLD;
const ids = (events: readonly { event: string; id: number }[]) => events.map(({ event, id }) => `${event} ${id}`);

describe("the log", () => {
  test("has the keys of the contract, in their order", () => {
    const [sent, read] = tailDiff(EMPTY, [message(12, { viaBroadcast: true, replyTo: 9, readAt: AT })]).events;
    expect(JSON.stringify(sent)).toBe(
      `{"event":"sent","id":12,"at":"${ISO}","from":"ada","to":"brook","fromId":"s1","toId":"s2","broadcast":true,"replyTo":9,"body":"body 12"}`,
    );
    expect(JSON.stringify(read)).toBe(
      `{"event":"read","id":12,"at":"${ISO}","from":"ada","to":"brook","fromId":"s1","toId":"s2"}`,
    );
    expect(JSON.stringify(tailDiff(EMPTY, [message(1)]).events[0])).not.toMatch(/broadcast|replyTo/);
  });

  test("tells each message and each reading once", () => {
    const first = tailDiff(EMPTY, [message(1), message(2, { readAt: AT })]);
    expect(ids(first.events)).toEqual(["sent 1", "sent 2", "read 2"]);
    const second = tailDiff(first.state, [message(1, { readAt: AT + 1 }), message(2, { readAt: AT }), message(3)]);
    expect(ids(second.events)).toEqual(["sent 3", "read 1"]);
    expect(
      tailDiff(second.state, [message(1, { readAt: AT + 1 }), message(2, { readAt: AT }), message(3)]).events,
    ).toEqual([]);
  });

  test("is not moved by names that go, or by messages that leave the window and come back", () => {
    const { state } = tailDiff(EMPTY, [message(1), message(2)]);
    expect(tailDiff(state, [message(1, { senderName: null, recipientName: null })]).events).toEqual([]);
    expect(tailDiff(tailDiff(state, []).state, [message(1), message(2)]).events).toEqual([]);
  });

  test("orders readings by their time, and takes a feed in any order and of any length", () => {
    const feed = [message(3, { readAt: AT + 1 }), message(1, { readAt: AT + 2 }), message(2)];
    expect(ids(tailDiff(EMPTY, feed).events)).toEqual(["sent 1", "sent 2", "sent 3", "read 3", "read 1"]);
    const long = Array.from({ length: 200_000 }, (_, index) => message(index + 1));
    expect(tailDiff(EMPTY, long).state.newestId).toBe(200_000);
  });

  test("tells everything exactly once, however the feed grows", () => {
    const growth = fc.array(fc.record({ send: fc.nat(3), read: fc.array(fc.nat(30), { maxLength: 4 }) }), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(growth, (steps) => {
        const feed: NamedMessage[] = [];
        const told: string[] = [];
        let state = EMPTY;
        for (const { send, read } of steps) {
          for (let n = 0; n < send; n++) feed.push(message(feed.length + 1));
          for (const index of read) {
            const unread = feed[index];
            if (unread?.readAt === null) feed[index] = { ...unread, readAt: AT };
          }
          const diff = tailDiff(state, feed);
          told.push(...ids(diff.events));
          state = diff.state;
        }
        const expected = [
          ...feed.map(({ id }) => `sent ${id}`),
          ...feed.filter((row) => row.readAt).map(({ id }) => `read ${id}`),
        ];
        expect([...told].sort()).toEqual(expected.sort());
      }),
    );
  });
});

describe("the filter", () => {
  const none: TailFilter = { grep: [], with: [], from: [], to: [], since: null, until: null };
  const feed = [
    message(1, { body: "Release is green", sentAt: AT }),
    message(2, { body: "release is red", senderName: "cedar", sentAt: AT + 10 }),
    message(3, { body: "lunch?", senderName: null, recipientName: "ada-2", sentAt: AT + 20 }),
  ];
  const accepted = (filter: Partial<TailFilter>) => filterFeed(feed, { ...none, ...filter }).map(({ id }) => id);

  test("takes patterns together, names apart, and options together", () => {
    expect(accepted({})).toEqual([1, 2, 3]);
    expect(accepted({ grep: [(body) => /release/i.test(body), (body) => body.includes("green")] })).toEqual([1]);
    expect(accepted({ grep: [(body) => body.startsWith("release")] })).toEqual([2]);
    expect(accepted({ from: ["ADA", "ced"] })).toEqual([1, 2]);
    expect(accepted({ with: ["ada"] })).toEqual([1, 3]);
    expect(accepted({ with: ["ada"], to: ["brook"] })).toEqual([1]);
    expect(accepted({ from: ["left"] })).toEqual([]);
  });

  test("has a window that holds its beginning and not its end", () => {
    expect(accepted({ since: AT + 10 })).toEqual([2, 3]);
    expect(accepted({ until: AT + 20 })).toEqual([1, 2]);
    expect(accepted({ since: AT, until: AT })).toEqual([]);
  });

  test("reads moments and ages", () => {
    expect(["90s", "15m", "2h", "3d", "1.5h"].map((text) => AT - (parseWhen(text, AT) ?? 0))).toEqual([
      90_000, 900_000, 7_200_000, 259_200_000, 5_400_000,
    ]);
    expect(parseWhen(ISO, 0)).toBe(AT);
    expect(parseWhen("2026-01-02T03:04:05+01:00", 0)).toBe(AT - 3_600_000);
    expect(parseWhen("2026-01-02T03:04:05Z", 0)).toBe(AT);
    // Without an offset both are local, in whatever time zone the tests run.
    expect(parseWhen("2026-01-02", 0)).toBe(new Date(2026, 0, 2).getTime());
    expect(parseWhen("2026-01-02T03:04", 0)).toBe(new Date(2026, 0, 2, 3, 4).getTime());
    expect(["", "soon", "5", "-5m", "5w", "2026-13-01", "2026"].map((text) => parseWhen(text, AT))).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
