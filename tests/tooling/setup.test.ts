import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, runNode } from "./project.ts";
import { withTree } from "./tree.ts";

const lockModule = JSON.stringify(join(root, "scripts", "setup-lock.mjs"));

/** A program that, under the lock, writes down its start and its end with a pause between the two that others would use. */
const worker = `
import { appendFileSync } from "node:fs";
import { withLock } from ${lockModule};
await withLock("lock", async () => {
  appendFileSync("log", "start " + process.pid + "\\n");
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  appendFileSync("log", "end " + process.pid + "\\n");
});
`;

test("set-ups started at once run one after the other, also over the lock of a process that is gone", async () => {
  const gone = Bun.spawn(["true"]);
  await gone.exited;
  await withTree({ "worker.mjs": worker, lock: `${gone.pid}` }, async (folder) => {
    const workers = Array.from({ length: 6 }, () =>
      Bun.spawn(["node", "worker.mjs"], { cwd: folder, stderr: "ignore" }),
    );
    expect(await Promise.all(workers.map((process) => process.exited))).toEqual([0, 0, 0, 0, 0, 0]);
    const lines = readFileSync(join(folder, "log"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBe(12);
    for (let index = 0; index < lines.length; index += 2) {
      expect(lines[index + 1]).toBe(lines[index]?.replace("start", "end"));
    }
    expect(readdirSync(folder).sort()).toEqual(["log", "worker.mjs"]);
  });
});

test("the lock is released when the task fails, and the failure goes on", () => {
  const failing = `
import { withLock } from ${lockModule};
await withLock("lock", () => { throw new Error("no disk"); });
`;
  withTree({ "failing.mjs": failing }, (folder) => {
    const { code, output } = runNode(["failing.mjs"], { cwd: folder });
    expect(code).toBe(1);
    expect(output).toContain("no disk");
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });
});

test("in a ready checkout the set-up says nothing", () => {
  expect(runNode([join(root, "scripts", "setup.mjs")])).toEqual({ code: 0, stdout: "", output: "" });
});
