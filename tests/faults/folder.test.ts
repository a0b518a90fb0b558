import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { until } from "../../testbed/wait.ts";
import { goesOn, refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";
import type { Surfaces } from "./surfaces.ts";

let stage: FaultStage;
let surfaces: Surfaces;
beforeEach(async () => {
  stage = new FaultStage();
  await stage.seed();
  surfaces = await stage.surfaces();
  servedEverywhere(await surfaces.use());
});
afterEach(() => stage.close());

/** Until no process writes into the file that is gone: a running one looks once a second whether its file is still there. */
async function everybodyIsIn(): Promise<void> {
  await until("every surface to be in the new database", async () => {
    await surfaces.use();
    const there = (await stage.roster()).map((row) => row.host);
    return ["opencode", "mcp", "claude-code"].every((host) => there.includes(host as (typeof there)[number]));
  });
}

test("the folder is deleted: the running processes go on, a new database is made, private as ever, and all meet in it", async () => {
  rmSync(stage.data, { recursive: true });
  goesOn(await surfaces.use());
  await everybodyIsIn();
  expect((statSync(stage.data).mode & 0o777).toString(8)).toBe("700");
  expect((statSync(stage.file).mode & 0o777).toString(8)).toBe("600");
  await stage.seed();
  servedEverywhere(await surfaces.use());
}, 90_000);

test("the folder is moved away and comes back: what was stored is there again", async () => {
  const before = await stage.mail();
  renameSync(stage.data, `${stage.data}.away`);
  await everybodyIsIn();
  rmSync(stage.data, { recursive: true });
  renameSync(`${stage.data}.away`, stage.data);
  await until("every surface to be back", async () => {
    const { tools } = await surfaces.use();
    return (
      Object.values(tools).every((text) => !text.startsWith("failed: ")) &&
      (await stage.mail()).length > before.length + 1
    );
  });
  expect((await stage.mail()).slice(0, before.length)).toEqual(before);
  servedEverywhere(await surfaces.use());
}, 90_000);

test("a file in place of the folder: every surface says so, and leaves it there", async () => {
  rmSync(stage.data, { recursive: true });
  writeFileSync(stage.data, "somebody's notes");
  await until("every running process to have looked", async () =>
    Object.values((await surfaces.use()).tools).every((text) => text.startsWith("failed: The database ")),
  );
  const round = await surfaces.use();
  for (const text of Object.values(round.tools))
    expect(text).toMatch(/^failed: The database \S+ cannot be used \(ENOTDIR/);
  goesOn(round);
  expect(await Bun.file(stage.data).text()).toBe("somebody's notes");
  rmSync(stage.data);
  mkdirSync(stage.data);
  await stage.seed();
  servedEverywhere(await surfaces.use());
  expect(existsSync(stage.file)).toBe(true);
  void refusedEverywhere;
}, 90_000);
