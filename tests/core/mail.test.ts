import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isChatEchoParts, isUserMessage, type MessagePart } from "../../src/core/echo-parts.ts";
import { pageOf } from "../../src/core/inbox.ts";
import { BODY_LIMIT_BYTES, bodyFault, utf8Length } from "../../src/core/message.ts";
import { outlookFor } from "../../src/core/outlook.ts";
import type { Session } from "../../src/core/session.ts";
import { isDue, isHeld, WAITED_MS, wakeBudget } from "../../src/core/wake.ts";
import { LIMITS } from "../support/chat.ts";

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("a message is due", () => {
  const table: [what: string, deliveredAt: number | null, readAt: number | null, due: boolean][] = [
    ["never delivered", null, null, true],
    ["read", null, NOW, false],
    ["delivered and read", NOW - HOUR, NOW, false],
    ["delivered just now", NOW, null, false],
    ["delivered a moment less than the window ago", NOW - 15 * MINUTE + 1, null, false],
    ["delivered the window ago", NOW - 15 * MINUTE, null, true],
    ["delivered in the future, by a clock that jumped", NOW + HOUR, null, true],
  ];
  for (const [what, deliveredAt, readAt, due] of table) {
    test(`${due}: ${what}`, () => expect(isDue({ deliveredAt, readAt }, NOW, LIMITS)).toBe(due));
  }
});

describe("a mark with an end", () => {
  test("holds until then, and not at all when it ends later than it can", () => {
    expect(
      [null, NOW - 1, NOW, NOW + 1, NOW + MINUTE + WAITED_MS, NOW + MINUTE + WAITED_MS + 1].map((until) =>
        isHeld(until, NOW, MINUTE),
      ),
    ).toEqual([false, false, false, true, true, false]);
  });
});

describe("the wake budget", () => {
  const wakes = (...ages: number[]) => ages.map((age) => NOW - age);

  test("is full without wakes, and spent at the cap until the oldest counted one is a window old", () => {
    expect(wakeBudget([], NOW, LIMITS)).toEqual({ left: 6, freeAt: NOW });
    expect(wakeBudget(wakes(1, 2), NOW, LIMITS).left).toBe(4);
    const spent = wakes(50 * MINUTE, 40 * MINUTE, 30 * MINUTE, 20 * MINUTE, 10 * MINUTE, 0);
    expect(wakeBudget(spent, NOW, LIMITS)).toEqual({ left: 0, freeAt: NOW + 10 * MINUTE });
    expect(wakeBudget([...spent].reverse(), NOW, LIMITS).freeAt).toBe(NOW + 10 * MINUTE);
  });

  test("forgets what is a window old, and is not refilled by a clock that jumps back", () => {
    expect(wakeBudget(wakes(HOUR, HOUR + 1), NOW, LIMITS).left).toBe(6);
    expect(wakeBudget(wakes(-30 * MINUTE, -59 * MINUTE), NOW, LIMITS).left).toBe(4);
  });

  test("allows the next wake exactly when it says", () => {
    const ages = fc.array(fc.integer({ min: -HOUR, max: 2 * HOUR }), { maxLength: 20 });
    fc.assert(
      fc.property(ages, (drawn) => {
        const { left, freeAt } = wakeBudget(wakes(...drawn), NOW, LIMITS);
        if (left > 0) return expect(freeAt).toBe(NOW);
        expect(wakeBudget(wakes(...drawn), freeAt, LIMITS).left).toBeGreaterThan(0);
        expect(wakeBudget(wakes(...drawn), freeAt - 1, LIMITS).left).toBe(0);
      }),
    );
  });
});

describe("a body", () => {
  test("is refused when empty, too long, or no Unicode, and never cut", () => {
    expect(bodyFault("x")).toBeNull();
    expect(bodyFault("\u0000")).toBeNull();
    expect(bodyFault(" \n\t")).toEqual({ code: "empty-body" });
    expect(bodyFault("ab\ud800c")).toEqual({ code: "malformed-body", index: 2 });
    expect(bodyFault("\ud800c")).toEqual({ code: "malformed-body", index: 0 });
    expect(bodyFault("é".repeat(32_768))).toBeNull();
    expect(bodyFault(`${"é".repeat(32_768)}x`)).toEqual({
      code: "body-too-long",
      bytes: 65_537,
      limit: BODY_LIMIT_BYTES,
    });
  });

  test("is measured in UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) =>
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length),
      ),
    );
  });
});

describe("a page", () => {
  const messages = ["aaaa", "bb", "é", "c"].map((body) => ({ body }));
  const page = (count: number, bytes: number) => pageOf(messages, { messages: count, bytes }).length;

  test("holds what fits both limits, and one message whatever its size", () => {
    expect([page(10, 100), page(2, 100), page(10, 6), page(10, 8), page(10, 1), page(1, 1)]).toEqual([
      4, 2, 2, 3, 1, 1,
    ]);
    expect(pageOf([], { messages: 5, bytes: 5 })).toEqual([]);
  });
});

describe("the parts of a message", () => {
  const table: [what: string, parts: MessagePart[], echo: boolean, user: boolean][] = [
    ["a person's words", [{ type: "text", text: "hello" }], false, true],
    ["a bubble", [{ type: "text", text: "[chat] x", ignored: true }], true, false],
    ["a bubble that is not marked", [{ type: "text", text: "[chat] x" }], true, false],
    [
      "two bubbles",
      [
        { type: "text", text: "[chat] x" },
        { type: "text", text: "[chat] y" },
      ],
      true,
      false,
    ],
    [
      "a bubble and words",
      [
        { type: "text", text: "[chat] x" },
        { type: "text", text: "hello" },
      ],
      false,
      true,
    ],
    [
      "a wake",
      [
        { type: "text", text: "w", synthetic: true },
        { type: "text", text: "[chat] x", ignored: true },
      ],
      true,
      false,
    ],
    ["instructions alone", [{ type: "text", text: "w", synthetic: true }], false, false],
    ["a file", [{ type: "file" }], false, true],
    [
      "words and what opencode adds to them",
      [
        { type: "text", text: "see" },
        { type: "text", text: "read", synthetic: true },
      ],
      false,
      true,
    ],
    ["a bubble with a file", [{ type: "text", text: "[chat] x" }, { type: "file" }], true, true],
    ["nothing", [], false, false],
  ];
  for (const [what, parts, echo, user] of table) {
    test(what, () => expect([isChatEchoParts(parts), isUserMessage(parts)]).toEqual([echo, user]));
  }
});

describe("the outlook", () => {
  const recipient: Session = {
    sessionId: "s",
    name: "ada",
    host: "opencode",
    hostMode: "tui",
    topic: null,
    project: null,
    directory: "/",
    worktree: null,
    registeredAt: NOW,
    lastSeenAt: NOW,
    busyUntil: null,
  };
  const spent = Array.from({ length: 6 }, () => NOW);
  const outlook = (more: Partial<Session>, wakes: number[] = []) =>
    outlookFor({ ...recipient, ...more }, wakes, NOW, LIMITS, 30_000);

  test("names the first thing that stands in the way", () => {
    expect(outlook({})).toEqual({ kind: "wakes" });
    expect(outlook({ busyUntil: NOW + 1 })).toEqual({ kind: "busy" });
    expect(outlook({ busyUntil: NOW + 1 }, spent)).toEqual({ kind: "capped", freeAt: NOW + HOUR });
    expect(outlook({ hostMode: "run" }, spent)).toEqual({ kind: "turn" });
    expect(outlook({ host: "cursor", hostMode: null })).toEqual({ kind: "turn" });
    expect(outlook({ host: "mcp", hostMode: "served" })).toEqual({ kind: "polls" });
    expect(outlook({ host: "claude-code", hostMode: "served" })).toEqual({ kind: "wakes" });
    expect(outlook({ host: "claude-code", hostMode: null, lastSeenAt: 0 }, spent)).toEqual({ kind: "turn" });
    expect(outlook({ host: "claude-code", hostMode: "closed" })).toEqual({ kind: "stale", silentMs: 0 });
    expect(outlook({ lastSeenAt: NOW - 60_000, hostMode: "run" })).toEqual({ kind: "stale", silentMs: 60_000 });
  });
});
