import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NAME_POOL } from "../../src/core/name-pool.ts";
import { assignedName, drawBase, levenshtein, nearestNames } from "../../src/core/names.ts";

describe("drawBase", () => {
  test("reaches the first and the last word, and each between", () => {
    expect(drawBase(() => 0)).toBe(NAME_POOL[0] ?? "");
    expect(drawBase(() => 1 - Number.EPSILON / 2)).toBe(NAME_POOL.at(-1) ?? "");
    const drawn = NAME_POOL.map((_, index) => drawBase(() => (index + 0.5) / NAME_POOL.length));
    expect(drawn).toEqual([...NAME_POOL]);
  });

  test.each([1, -0.01, Number.NaN])("refuses %p, which is no fraction", (value) => {
    expect(() => drawBase(() => value)).toThrow(RangeError);
  });
});

test("assignedName numbers from the second on", () => {
  expect([1, 2, 3, 10].map((count) => assignedName("ada", count))).toEqual(["ada", "ada-2", "ada-3", "ada-10"]);
});

test("assigned names never collide, since no word holds a digit or a dash", () => {
  const word = fc.constantFrom(...NAME_POOL);
  const count = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(word, count, word, count, (a, i, b, j) => {
      expect(assignedName(a, i) === assignedName(b, j)).toBe(a === b && i === j);
    }),
  );
});

describe("nearestNames", () => {
  const names = ["ada", "ada-2", "brook", "brook-2", "zoltan"];
  test.each([
    ["aba", ["ada"]],
    ["ADA-3", ["ada", "ada-2"]],
    ["brok", ["brook"]],
    ["Brook-22", ["brook", "brook-2"]],
    ["brook-3", ["brook", "brook-2"]],
    ["zolta", ["zoltan"]],
    ["nobody-like-this", []],
    ["", []],
  ])("%p may have meant %p", (wanted, meant) => {
    expect(nearestNames(wanted, names)).toEqual(meant);
  });

  test("returns no more than asked for", () => {
    expect(nearestNames("ada", ["ada-2", "ada-3", "ada-4", "ada-5"])).toHaveLength(3);
    expect(nearestNames("ada", ["ada-2", "ada-3"], 1)).toEqual(["ada-2"]);
  });
});

describe("levenshtein", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["flaw", "lawn", 2],
    ["ada", "ada", 0],
  ])("%p and %p are %p apart", (a, b, distance) => {
    expect(levenshtein(a, b)).toBe(distance);
  });

  test("is a metric", () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom("a", "b", "c") });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(levenshtein(a, b)).toBe(levenshtein(b, a));
        expect(levenshtein(a, b) === 0).toBe(a === b);
        expect(levenshtein(a, c)).toBeLessThanOrEqual(levenshtein(a, b) + levenshtein(b, c));
      }),
    );
  });
});
