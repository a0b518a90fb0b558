import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isUserMessage } from "../../src/core/echo-parts.ts";
import { bodyFault, utf8Length } from "../../src/core/message.ts";
import { nearestNames } from "../../src/core/names.ts";
import { oneLine } from "../../src/core/one-line.ts";
import { sortRoster } from "../../src/core/roster.ts";
import type { Session } from "../../src/core/session.ts";
import { parseWhen } from "../../src/core/tail-filter.ts";
import { topicFromTitle } from "../../src/core/topic.ts";
import { wakeBudget } from "../../src/core/wake.ts";
import { LIMITS } from "../support/chat.ts";

describe("one line shows all that it holds", () => {
  test.each([
    ["signs that style nothing", "a\ufe0fb\ufe0e", "ab"],
    ["a style given twice", "❤\ufe0f\ufe0f", "❤\ufe0f"],
    ["a joiner at an end", "👩\u200d", "👩"],
    ["two joiners", "👩\u200d\u200d👩", "👩👩"],
    ["a keycap", "1\ufe0f\u20e3 first", "1\ufe0f\u20e3 first"],
    ["a flag", "🇩🇪 x", "🇩🇪 x"],
    ["text hidden in tags", "🏴\u{e0067}\u{e0062}\u{e007f}x", "🏴x"],
    ["an escape around an escape", "\u001b\u001b[0m[31mx", "[31mx"],
    ["a window title that never ends", "x\u001b]0;owned", "x0;owned"],
    ["a lone escape", "x\u001b", "x"],
  ])("%s", (_, text, line) => {
    expect(oneLine(text, 100)).toBe(line);
  });

  test.each([
    ["nothing to be seen for long", `${"\u001b[0m".repeat(1_000)}x`, "…"],
    ["little before that", `ab${"\u200b".repeat(1_000)}x`, "ab…"],
    ["as much as fits before that", `${"a".repeat(10)}${"\u200d".repeat(1_000)}`, `${"a".repeat(9)}…`],
  ])("and is cut where it holds %s", (_, text, line) => {
    expect(oneLine(text, 10)).toBe(line);
  });

  test("whatever hostile pieces it is made of", () => {
    const pieces = [
      "\u001b[",
      "\u001b",
      "[31m",
      "\u202e",
      "\u200d",
      "\n",
      "\ud83d",
      "👍",
      "👩",
      "🏽",
      "\ufe0f",
      "\ufe0e",
    ];
    const more = [
      "\u009b",
      "❤",
      "1",
      "\u20e3",
      "\u0301",
      " ",
      "\u200b",
      "🇩🇪",
      "🇩",
      "\u{e0061}",
      "🏴",
      "\u2028",
      "\u0000",
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces, ...more), fc.string({ unit: "binary" })), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (parts, limit) => {
        const line = oneLine(parts.join(""), limit);
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}/u);
        expect(line).not.toMatch(/^[\u200d\ufe0e\ufe0f]|\u200d(?!\p{Extended_Pictographic})|[\ufe0e\ufe0f]{2}/u);
        expect([...line].length).toBeLessThanOrEqual(limit);
        expect(line.trim()).toBe(line);
        expect(oneLine(line, limit)).toBe(line);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a title of nothing visible is no topic", () => {
    expect(["\ufe0f", "\u200d\u2060", "\u001b[31m", "\u3164"].map(topicFromTitle)).toEqual([null, null, null, null]);
  });
});

test("a fork of a child and of a sub-agent's session has no topic either", () => {
  expect(topicFromTitle("Child session - 2026-01-02T03:04:05.678Z (fork #12)")).toBeNull();
  expect(topicFromTitle("Look (@general subagent) (fork #1)")).toBeNull();
  expect(topicFromTitle("Ask (@general subagent) for help")).toBe("Ask (@general subagent) for help");
});

describe("a spent budget is free when it says", () => {
  test("with a wake stamped exactly one window ahead", () => {
    const now = 1_000_000_000_000;
    const wakes = [now - 1, now, now, now, now, now, now + LIMITS.windowMs];
    const { left, freeAt } = wakeBudget(wakes, now, LIMITS);
    expect(left).toBe(0);
    expect(wakeBudget(wakes, freeAt, LIMITS).left).toBeGreaterThan(0);
  });
});

test("projects whose names differ in case alone stay apart", () => {
  const row = (name: string, project: string, lastSeenAt: number) => ({ name, project, lastSeenAt }) as Session;
  const rows = [row("a", "demo", 1), row("b", "Demo", 2), row("c", "demo", 3), row("d", "Demo", 4)];
  expect(sortRoster(rows).map(({ name }) => name)).toEqual(["d", "b", "c", "a"]);
});

test("a day that no calendar has is no moment", () => {
  const days = ["2026-02-30", "2026-02-30T10:00Z", "2026-04-31", "2025-02-29", "2026-00-10", "2026-01-00"];
  expect(days.map((day) => parseWhen(day, 0))).toEqual(days.map(() => null));
  expect(parseWhen("2024-02-29", 0)).toBe(Date.UTC(2024, 1, 29));
});

test("a note of the plugin that is no bubble is no person's message", () => {
  expect(isUserMessage([{ type: "text", text: "a note", ignored: true }])).toBe(false);
});

test("every width of UTF-8 is measured to its edge", () => {
  const edges = ["\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"];
  expect(edges.map(utf8Length)).toEqual([1, 2, 2, 3, 3, 4, 4]);
});

test("two letters that changed places are still understood", () => {
  expect(nearestNames("elaenor", ["brook", "eleanor"])).toEqual(["eleanor"]);
});

describe("a lone surrogate is found whatever stands behind it", () => {
  // Bun 1.3.14 takes one before U+FC00 to U+FFFF for half of a pair when a pattern has the u flag.
  const behind = ["!", "\u0800", "\ud83d", "\ue000", "\ufc00", "\uff01", "\uffff", "👍", ""];

  test("in a body", () => {
    for (const character of behind) {
      expect(bodyFault(`a👍\ud83d${character}`)).toEqual({ code: "malformed-body", index: 3 });
      expect(bodyFault(`a\udc4d${character}`)).toEqual({ code: "malformed-body", index: 1 });
    }
    expect(bodyFault("a👍\ufc00\uff01")).toBeNull();
  });

  test("in a line", () => {
    for (const character of behind) expect(oneLine(`a\ud83d${character}b`, 9).isWellFormed()).toBe(true);
    expect(oneLine("👍\ud83d！\udc4d", 9)).toBe("👍！");
  });

  test("so that a body that is taken comes back from its UTF-8 as it was", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.oneof(units, fc.tuple(fc.constant(0xd83d), fc.integer({ min: 0, max: 0xffff }))), (codes) => {
        const body = String.fromCharCode(...codes);
        const malformed = bodyFault(body)?.code === "malformed-body";
        expect(malformed).toBe(
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(body)) !== body,
        );
      }),
      { examples: [[[0xd83d, 0xfc00]]] },
    );
  });
});
