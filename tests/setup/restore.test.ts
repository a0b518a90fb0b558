import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { settingsEntries } from "../../src/setup/claude-entries.ts";
import { addEntries, holdsEntries, removeEntries } from "../../src/setup/json-entries.ts";
import { serverEntries } from "../../src/setup/server-entry.ts";

const place = { root: "/opt/thatch", bun: "/opt/bun" };
const sets = [serverEntries(place), settingsEntries(place, false), settingsEntries(place, true)];

const gap = fc.constantFrom("", " ", "\n", "\n  ", "\n\t", " /* c */ ", " // l \n", "\r\n  ");
const key = fc.constantFrom("a", "b,", "hooks", "Stop", "permissions", "allow", "mcpServers", "}", "//", "ü");

const NEEDS_OBJECT = ["hooks", "permissions", "mcpServers"];
const NEEDS_ARRAY = ["Stop", "allow"];
const plain = fc.constantFrom("1", "null", '"x, }"', "true");

/** JSON with comments, odd space and trailing commas; objects and arrays stand where thatch needs them. */
function objectOf(depth: number): fc.Arbitrary<string> {
  const member = fc.tuple(gap, key, gap).chain(([ahead, name, behind]) => {
    const held = NEEDS_OBJECT.includes(name)
      ? objectOf(depth - 1)
      : NEEDS_ARRAY.includes(name)
        ? arrayOf(depth - 1)
        : anyOf(depth - 1);
    return held.map((value) => ({ name, text: `${ahead}${JSON.stringify(name)}:${value}${behind}` }));
  });
  const members = fc.uniqueArray(member, { maxLength: depth > 0 ? 4 : 0, selector: ({ name }) => name });
  return fc.tuple(members, gap, fc.boolean()).map(([some, end, trails]) => {
    const comma = trails && some.length > 0 ? "," : "";
    return `{${some.map(({ text }) => text).join(",")}${comma}${end}}`;
  });
}
function arrayOf(depth: number): fc.Arbitrary<string> {
  const members = fc.array(fc.tuple(gap, anyOf(depth - 1), gap), { maxLength: depth > 0 ? 3 : 0 });
  return fc.tuple(members, gap, fc.boolean()).map(([some, end, trails]) => {
    const comma = trails && some.length > 0 ? "," : "";
    return `[${some.map((one) => one.join("")).join(",")}${comma}${end}]`;
  });
}
function anyOf(depth: number): fc.Arbitrary<string> {
  return depth <= 0 ? plain : fc.oneof(plain, objectOf(depth), arrayOf(depth));
}
const file = fc.tuple(gap, objectOf(4), gap).map((parts) => parts.join(""));

describe("any settings", () => {
  for (const [index, set] of sets.entries()) {
    test(`hold entries ${index} once, keep all else, and come back as they were`, () => {
      fc.assert(
        fc.property(file, (before) => {
          const after = addEntries(before, set);
          expect(holdsEntries(after, set, before)).toBe(true);
          expect(addEntries(after, set)).toBe(after);
          const back = removeEntries(after, set, before);
          expect(parse(back)).toEqual(parse(before));
          expect(comments(back)).toEqual(comments(before));
          if (!hasEmptyContainer(before)) expect(back).toBe(before);
        }),
        { numRuns: 120 },
      );
    });

    test(`keep what a person adds after entries ${index}`, () => {
      fc.assert(
        fc.property(file, (before) => {
          const after = addEntries(before, set);
          const open = bodyStart(after);
          const edited = `${after.slice(0, open)}"mine": [1], // why \n${after.slice(open)}`;
          const back = removeEntries(edited, set, before);
          expect(parse(back)).toEqual({ mine: [1], ...parse(before) });
          expect(back).toContain('"mine": [1]');
          expect(comments(back)).toEqual(comments(edited));
        }),
        { numRuns: 120 },
      );
    });
  }
});

/** Behind the brace of the root, whatever comment stands ahead of it. */
function bodyStart(text: string): number {
  return (/^(\s|\/\*.*?\*\/|\/\/[^\n]*\n)*\{/.exec(text)?.[0] ?? "").length;
}

function comments(text: string): string[] {
  return text.match(/\/\* c \*\/|\/\/ (l|why) /g) ?? [];
}

/** Space inside an emptied container that held a comment may differ without the receipt's exact text. */
function hasEmptyContainer(text: string): boolean {
  return /[{[](\s|\/\*.*?\*\/|\/\/ [^\n]*\n)*[}\]]/.test(text);
}
