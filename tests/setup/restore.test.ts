import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { serverEntries, settingsEntries } from "../../src/setup/claude-entries.ts";
import { addEntries, holdsEntries, removeEntries } from "../../src/setup/json-entries.ts";

const place = { root: "/opt/thatch", bun: "/opt/bun" };
const sets = [serverEntries(place), settingsEntries(place, false), settingsEntries(place, true)];

const gap = fc.constantFrom("", " ", "\n", "\n  ", "\n\t", " /* c */ ", " // l\n", "\r\n  ");
const key = fc.constantFrom("a", "b,", "hooks", "Stop", "permissions", "allow", "mcpServers", "}", "//", "ü");

/** JSON with comments, odd space and trailing commas; only objects where thatch needs objects, only arrays where it needs arrays. */
const { object } = fc.letrec<{ object: string; array: string; value: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom("1", "null", '"x, }"', "true"), tie("object"), tie("array")),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(key, tie("value"), gap, gap, tie("object"), tie("array")), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
      gap,
      fc.boolean(),
    )
    .map(([members, end, trails]) => {
      const texts = members.map(([name, value, ahead, behind, anObject, anArray]) => {
        const held = ["Stop", "allow"].includes(name)
          ? anArray
          : ["hooks", "permissions", "mcpServers"].includes(name)
            ? anObject
            : value;
        return `${ahead}${JSON.stringify(name)}:${held}${behind}`;
      });
      return `{${texts.join(",")}${trails && texts.length > 0 ? "," : ""}${end}}`;
    }),
  array: fc
    .tuple(fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 }), gap, fc.boolean())
    .map(
      ([members, end, trails]) =>
        `[${members.map((one) => one.join("")).join(",")}${trails && members.length > 0 ? "," : ""}${end}]`,
    ),
}));
const file = fc.tuple(gap, object, gap).map((parts) => parts.join(""));

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
        { numRuns: 300 },
      );
    });

    test(`keep what a person adds after entries ${index}`, () => {
      fc.assert(
        fc.property(file, (before) => {
          const after = addEntries(before, set);
          const open = bodyStart(after);
          const edited = `${after.slice(0, open)}"mine": [1], // why\n${after.slice(open)}`;
          const back = removeEntries(edited, set, before);
          expect(parse(back)).toEqual({ mine: [1], ...parse(before) });
          expect(back).toContain('"mine": [1]');
          expect(comments(back)).toEqual(comments(edited));
        }),
        { numRuns: 300 },
      );
    });
  }
});

/** Behind the brace of the root, whatever comment stands ahead of it. */
function bodyStart(text: string): number {
  return (/^(\s|\/\*.*?\*\/|\/\/[^\n]*\n)*\{/.exec(text)?.[0] ?? "").length;
}

function comments(text: string): string[] {
  return text.match(/\/\* c \*\/|\/\/ (l|why)\n/g) ?? [];
}

/** Space inside an emptied container that held a comment may differ without the receipt's exact text. */
function hasEmptyContainer(text: string): boolean {
  return /[{[](\s|\/\*.*?\*\/|\/\/ [^\n]*\n)*[}\]]/.test(text);
}
