import { afterEach, beforeEach, expect, test } from "bun:test";
import { Lock } from "../cli/stage.ts";
import { startChild } from "../store/child/start.ts";
import { refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";
import type { Surfaces } from "./surfaces.ts";

let stage: FaultStage;
beforeEach(async () => {
  stage = new FaultStage();
  await stage.seed();
});
afterEach(() => stage.close());

test("a database held against everybody: tools give up after 5 s, commands with 75, hooks after 1 s in silence; then all work", async () => {
  let surfaces: Surfaces;
  {
    using lock = new Lock(stage.file);
    surfaces = await stage.surfaces();
    const round = await surfaces.use();
    expect(lock.isHeld()).toBe(true);
    refusedEverywhere(round, stage.file, /stayed locked for (5|6)(\.\d)? s/, 75);
  }
  servedEverywhere(await surfaces.use());
}, 90_000);

test("a writer that was stopped in the middle holds up writes alone, and its death lets them go", async () => {
  const surfaces = await stage.surfaces();
  servedEverywhere(await surfaces.use());
  const holder = startChild("hold-lock.ts", [stage.file]);
  expect(await holder.line()).toBe("locked");
  holder.stop();
  const { tools, cli, promptMs } = await surfaces.use();
  expect(promptMs).toBeLessThan(2_000);
  for (const surface of ["opencode", "mcp"] as const)
    expect(tools[`${surface} send`]).toMatch(/^failed: The database \S+ stayed locked for (5|6)(\.\d)? s/);
  expect(tools["opencode status"]).toContain("Registered as ");
  expect(cli.slice(0, 2).map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  holder.kill();
  await holder.exited;
  servedEverywhere(await surfaces.use());
}, 90_000);
