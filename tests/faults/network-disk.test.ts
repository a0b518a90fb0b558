import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";

let stage: FaultStage;
beforeEach(() => {
  stage = new FaultStage();
});
afterEach(() => stage.close());

const WITHOUT = join(import.meta.dir, "child", "without.ts");

test.each([
  ["shared-memory", /no memory that processes share: the file has to be on a local file system/],
  ["locks", /no locks: the file has to be on a local file system/],
])(
  "on a file system without %s every surface says why, the host's work goes on, and no byte changes",
  async (lack, reason) => {
    await stage.seed();
    const bytes = readFileSync(stage.file);
    const before = [process.execPath, WITHOUT, lack];
    refusedEverywhere(await (await stage.surfaces(stage.file, before)).use(), stage.file, reason);
    expect(readFileSync(stage.file).equals(bytes)).toBe(true);
    expect((await stage.mail()).length).toBe(50);
  },
);

test.each([
  ["shared-memory", /no memory that processes share: the file has to be on a local file system/],
  ["locks", /no locks: the file has to be on a local file system/],
])("a database begun on a file system without %s serves where there is one", async (lack, reason) => {
  const before = [process.execPath, WITHOUT, lack];
  refusedEverywhere(await (await stage.surfaces(stage.file, before)).use(), stage.file, reason);
  expect(existsSync(stage.file)).toBe(true);
  await stage.seed();
  servedEverywhere(await (await stage.surfaces()).use());
});
