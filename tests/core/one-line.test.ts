import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { oneLine } from "../../src/core/one-line.ts";
import { TOPIC_LIMIT, topicFromTitle } from "../../src/core/topic.ts";

describe("one harmless line", () => {
  const table: [what: string, text: string, line: string][] = [
    ["white space of every kind", " a\t\n\r\n b\u2028c\u2029d\u00a0e\u3000f\u0085g ", "a b c d e f g"],
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["a window title", "x\u001b]0;owned\u0007y\u001b]8;;http://e\u001b\\z", "xyz"],
    ["eight-bit escapes", "x\u009b31my", "xy"],
    ["controls", "a\u0000b\u0007c\u007fd\u009fe", "abcde"],
    ["directions", "a\u202eb\u2066c\u200fd\u061ce", "abcde"],
    ["nothing to see", "a\u200bb\u2060c\ufeffd\u00ade", "a bc de"],
    ["lone surrogates", "a\ud800b\udc00c", "abc"],
    ["emoji, which stay", "👩‍👩‍👧‍👦 ❤️ 👍🏽", "👩‍👩‍👧‍👦 ❤️ 👍🏽"],
    ["joiners without emoji", "a\u200db", "ab"],
    ["letters with marks", "é ñ ก็", "é ñ ก็"],
  ];
  for (const [what, text, line] of table) test(`of ${what}`, () => expect(oneLine(text, 100)).toBe(line));

  test("is cut before a whole character, and says so", () => {
    expect(oneLine("abcdef", 6)).toBe("abcdef");
    expect(oneLine("abcdefg", 6)).toBe("abcde…");
    expect(oneLine("ab cdefg", 4)).toBe("ab…");
    expect(oneLine("a👩‍👩‍👧‍👦b", 4)).toBe("a…");
  });

  test("has no control, no line break, no more than its limit, and stays what it is", () => {
    const hostile = fc.string({
      unit: fc.oneof(fc.constantFrom("\u001b[", "\u202e", "\u200d", "\n", "\ud83d", "👍", "\u009b"), fc.string()),
    });
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const line = oneLine(text, limit);
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect([...line].length).toBeLessThanOrEqual(limit);
        expect(oneLine(line, limit)).toBe(line);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a topic", () => {
  test("is the title, in one line of at most 80 characters", () => {
    expect(topicFromTitle("  Fix\nthe login ")).toBe("Fix the login");
    expect([...(topicFromTitle("x".repeat(200)) ?? "")].length).toBe(TOPIC_LIMIT);
    expect(topicFromTitle("Fix the login (fork #1)")).toBe("Fix the login (fork #1)");
  });

  const none = [
    "",
    "  \u200b ",
    "New session - 2026-01-02T03:04:05.678Z",
    "Child session - 2026-01-02T03:04:05.678Z",
    "New session - 2026-01-02T03:04:05.678Z (fork #1)",
    "New session - 2026-01-02T03:04:05.678Z (fork #1) (fork #2)",
    "New session - 2026-01-02T03:04:05.678Z\u200b",
    `${"x".repeat(100)} (@general subagent)`,
    "Look for callers (@general subagent)",
    "Look (@explore subagent)",
  ];
  for (const title of none)
    test(`is none for ${JSON.stringify(title)}`, () => expect(topicFromTitle(title)).toBeNull());

  test("is none without a title", () => {
    expect([topicFromTitle(null), topicFromTitle(undefined)]).toEqual([null, null]);
  });

  test("may speak of sessions and sub-agents", () => {
    expect(topicFromTitle("New session - how to start one")).toBe("New session - how to start one");
    expect(topicFromTitle("Make a subagent")).toBe("Make a subagent");
  });

  test("an escape sequence without its end hides none of the text behind it", () => {
    expect(oneLine("\x1b]0;title and all the rest", 80)).toBe("0;title and all the rest");
    expect(oneLine("\x1bPq all \x1b[31mthe rest", 80)).toBe("q all the rest");
    expect(oneLine("\x1b]0;title\x07shown", 80)).toBe("shown");
  });
});
