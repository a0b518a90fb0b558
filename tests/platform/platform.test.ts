import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debugLog } from "../../src/platform/debug-log.ts";
import { checkoutOf } from "../../src/platform/git.ts";
import { processArgs } from "../../src/platform/process-args.ts";
import { systemRandom } from "../../src/platform/random.ts";

const folder = mkdtempSync(join(tmpdir(), "thatch-platform-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the kind of checkout", () => {
  test("is told by the nearest .git above", () => {
    mkdirSync(join(folder, "root", ".git"), { recursive: true });
    mkdirSync(join(folder, "root", "deep", "er"), { recursive: true });
    mkdirSync(join(folder, "tree", "sub"), { recursive: true });
    writeFileSync(join(folder, "tree", ".git"), "gitdir: /app/.git/worktrees/tree\n");
    mkdirSync(join(folder, "none"));
    mkdirSync(join(folder, "root", "module"));
    writeFileSync(join(folder, "root", "module", ".git"), "gitdir: ../.git/modules/module\n");
    const kindOf = (...path: string[]) => checkoutOf(join(folder, ...path), debugLog(null));
    expect(kindOf("root", "deep", "er")).toBe("root");
    expect(kindOf("root", "module")).toBe("root");
    expect(kindOf("tree", "sub")).toBe("worktree");
    expect(kindOf("none")).toBeNull();
  });

  test("is unknown where a folder cannot be looked into, and the log says so", () => {
    const log: string[] = [];
    writeFileSync(join(folder, "file"), "");
    const loop = join(folder, "loop");
    symlinkSync(loop, loop);
    expect(checkoutOf(loop, (_scope, message) => void log.push(message))).toBeNull();
    expect(log).toEqual([`${loop} cannot be looked at for .git; its checkout kind stays unknown`]);
  });
});

describe("the debug log", () => {
  test("appends lines only its owner can read, with the cause", () => {
    const file = join(folder, "log", "debug.log");
    const log = debugLog(file);
    log("poller", "first");
    log("poller", "second", new Error("the cause"));
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^\S+Z \d+ poller: first\n\S+Z \d+ poller: second Error: the cause/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("never throws, wherever it is told to write", () => {
    debugLog(null)("x", "y");
    debugLog("/proc/no/such/file")("x", "y", "not an error");
  });
});

test("the process knows its own arguments", () => {
  expect(processArgs().length).toBeGreaterThan(1);
});

test("tokens are different words of ten letters", () => {
  const tokens = Array.from({ length: 1_000 }, () => systemRandom.token());
  expect(new Set(tokens).size).toBe(1_000);
  for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{10}$/);
});
