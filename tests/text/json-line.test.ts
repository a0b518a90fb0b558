import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonLine } from "../../src/text/json-line.ts";

test("any text comes back to the unit, on one line without a character a terminal acts on", () => {
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes));
  const text = fc.oneof(
    units,
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u{e0041}\u202e", "\x9b31m\x7f\u2028", "👩‍👩‍👧"),
  );
  fc.assert(
    fc.property(text, (value) => {
      const line = jsonLine({ value });
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      expect(JSON.parse(line)).toEqual({ value });
    }),
    { numRuns: 2_000 },
  );
});

test("what a terminal shows is left as it is", () => {
  expect(jsonLine({ body: 'grün "日本" 🙂' })).toBe('{"body":"grün \\"日本\\" 🙂"}');
  expect(jsonLine("a\u202eb\u{e0041}")).toBe(String.raw`"a\u202eb\udb40\udc41"`);
});
