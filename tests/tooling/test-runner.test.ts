import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root, runNode } from "./project.ts";
import { withTree } from "./tree.ts";

const testOf = (body: string) => `import { expect, test } from "bun:test";\n${body}\n`;
const passing = testOf('test("one", () => expect(1).toBe(1));\ntest("two", () => expect(2).toBe(2));');
const failing = testOf('test("good", () => expect(1).toBe(1));\ntest("bad", () => expect(1).toBe(2));');

/** Runs the project's test script over test files of its own. */
function runTests(files: Record<string, string>, ...args: string[]) {
  return withTree({ "scripts/.keep": "", ...files }, (folder) => {
    copyFileSync(join(root, "scripts", "test.mjs"), join(folder, "scripts", "test.mjs"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const { code, stdout } = runNode([join(folder, "scripts", "test.mjs"), ...args], { cwd: folder });
    return { code, stdout, last: stdout.trimEnd().split("\n").at(-1) };
  });
}

test("what the plugin reaches is counted on both Buns, the rest on one", () => {
  const core = runTests({ "tests/core/a.test.ts": passing }, "core");
  expect(core).toMatchObject({ code: 0, last: "4 passed, 0 failed" });
  const tooling = runTests({ "tests/tooling/a.test.ts": passing }, "tooling");
  expect(tooling).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
});

test("a folder or one file can be chosen", () => {
  const files = { "tests/e2e/a.test.ts": passing, "tests/e2e/b.test.ts": failing, "tests/tooling/c.test.ts": passing };
  expect(runTests(files, "e2e/a.test.ts")).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
  expect(runTests(files, "tests/e2e/a.test.ts", "tooling")).toMatchObject({ code: 0, last: "4 passed, 0 failed" });
  expect(runTests(files, "e2e")).toMatchObject({ code: 1, last: "3 passed, 1 failed" });
  expect(runTests(files, "nowhere")).toMatchObject({ code: 1, last: "0 passed, 1 failed" });
});

test("without a choice, a folder that has no tests is a failure", () => {
  const run = runTests({ "tests/tooling/a.test.ts": passing });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("FAILED: tests/core has no test file.");
  expect(run.last).toMatch(/^2 passed, [1-9]\d* failed$/);
});

test.each([
  ["a file without a test", "export const nothing = 1;\n"],
  ["a file that cannot be loaded", 'import { missing } from "./missing.ts";\nmissing();\n'],
  ["a process that dies", testOf('test("gone", () => process.exit(0));')],
  [
    "a process that dies of a signal",
    testOf('test("gone", async () => {\n  process.kill(process.pid, "SIGKILL");\n  await new Promise(() => {});\n});'),
  ],
  [
    "an error outside of any test",
    testOf('test("one", () => expect(1).toBe(1));\nthrow new Error("outside of any test");'),
  ],
  ["a skipped test", testOf('test.skip("later", () => {});\ntest("one", () => expect(1).toBe(1));')],
  ["a test still to do", testOf('test.todo("later");\ntest("one", () => expect(1).toBe(1));')],
])("%s is a failure", (_name, content) => {
  const run = runTests({ "tests/tooling/a.test.ts": content }, "tooling");
  expect(run.code).toBe(1);
  expect(run.last).toMatch(/^[01] passed, [1-9]\d* failed$/);
});

/** Runs the CI script over a package whose check and test are the given shell commands. */
function runCi(check: string, tests: string) {
  return withTree({ "package.json": JSON.stringify({ scripts: { check, test: tests } }) }, (folder) => {
    mkdirSync(join(folder, ".ci"));
    copyFileSync(join(root, ".ci", "run"), join(folder, ".ci", "run"));
    chmodSync(join(folder, ".ci", "run"), 0o755);
    const result = Bun.spawnSync([join(folder, ".ci", "run")], { cwd: folder, stderr: "ignore" });
    return { code: result.exitCode, last: result.stdout.toString().trimEnd().split("\n").at(-1) };
  });
}

test.each([
  ["all is well", "true", "echo 3 passed, 0 failed", { code: 0, last: "3 passed, 0 failed" }],
  ["tests fail", "true", "echo 3 passed, 2 failed; exit 1", { code: 1, last: "3 passed, 2 failed" }],
  ["the check fails", "false", "echo 3 passed, 0 failed", { code: 1, last: "3 passed, 1 failed" }],
  ["both fail", "false", "echo 3 passed, 1 failed; exit 1", { code: 1, last: "3 passed, 2 failed" }],
  ["the tests do not start", "true", "exit 1", { code: 1, last: "0 passed, 1 failed" }],
  ["the tests say nothing", "true", "true", { code: 1, last: "0 passed, 1 failed" }],
  ["the tests fail unsaid", "true", "echo 3 passed, 0 failed; exit 1", { code: 1, last: "3 passed, 1 failed" }],
  ["no test ran", "true", "echo 0 passed, 0 failed", { code: 1, last: "0 passed, 1 failed" }],
])("the CI script's last line and exit code when %s", (_name, check, tests, expected) => {
  expect(runCi(check, tests)).toEqual(expected);
});

test("the CI script is executable", () => {
  expect(readFileSync(join(root, ".ci", "run"), "utf8")).toStartWith("#!/usr/bin/env bash\n");
  const found = Bun.spawnSync(["test", "-x", join(root, ".ci", "run")]);
  expect(found.exitCode).toBe(0);
});
