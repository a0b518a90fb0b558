import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

/** Runs the test command on a project that has these test files in tests/core, and none elsewhere. */
function runTests(files: Record<string, string>, ...args: string[]): { code: number; lines: string[] } {
  const tree = mkdtempSync(join(tmpdir(), "thatch-commands-"));
  trees.push(tree);
  cpSync(join(root, "scripts"), join(tree, "scripts"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  mkdirSync(join(tree, "tests", "core"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tree, "tests", "core", name), text);
  const { exitCode, stdout } = Bun.spawnSync(["node", join(tree, "scripts", "test.mjs"), ...args], {
    stderr: "ignore",
  });
  return { code: exitCode, lines: stdout.toString().trim().split("\n") };
}

const head = 'import { expect, test } from "bun:test";\n';

describe("npm test", () => {
  test("counts what passed, on both Buns where the plugin reaches it", () => {
    const { code, lines } = runTests(
      { "a.test.ts": `${head}test("one", () => {});\ntest("two", () => {});\n` },
      "core",
    );
    expect([code, lines.at(-1)]).toEqual([0, "4 passed, 0 failed"]);
  });

  test("counts failures, and a file that does not load", () => {
    const files = {
      "a.test.ts": `${head}test("one", () => {});\ntest("two", () => expect(1).toBe(2));\n`,
      "b.test.ts": 'throw new Error("broken");\n',
    };
    const { code, lines } = runTests(files, "core");
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/^2 passed, [1-9]\d* failed$/);
  });

  test("takes a skipped test, no test, or an unknown choice for a failure", () => {
    const skipped = runTests({ "a.test.ts": `${head}test("one", () => {});\ntest.skip("two", () => {});\n` }, "core");
    expect([skipped.code, skipped.lines.at(-1)]).toEqual([1, "2 passed, 2 failed"]);
    expect(runTests({}, "core").lines.at(-1)).toBe("0 passed, 1 failed");
    expect(runTests({}, "nonsense").lines.at(-1)).toBe("0 passed, 1 failed");
  });
});
