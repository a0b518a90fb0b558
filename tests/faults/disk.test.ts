import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { under } from "../store/child/start.ts";
import { goesOn, refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";

let stage: FaultStage;
beforeEach(() => {
  stage = new FaultStage();
});
afterEach(() => stage.close());

/** A disk of its own of this size in KB, mounted until the test ends; null where mounting is not allowed. */
function mountDisk(kilobytes: number): string | null {
  const point = join(stage.folder, "disk");
  mkdirSync(point);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", point]);
  if (!mounted.success) {
    console.log(
      `no disk can be mounted here (${mounted.stderr.toString().trim()}): a limit on the size of files stands in`,
    );
    return null;
  }
  stage.later(() => void Bun.spawnSync(["umount", "-l", point]));
  return point;
}

test("a full disk: what is refused is said by every surface, what was stored stays, and all work once there is room", async () => {
  const disk = mountDisk(1_024);
  const file = join(disk ?? stage.data, "thatch.db");
  await stage.seed(file);
  const before = await stage.mail(file);
  expect(before.length).toBe(50);
  let surfaces = await stage.surfaces(file, disk === null ? under("trap '' XFSZ; ulimit -f 32") : []);
  const ballast = join(disk ?? stage.data, "ballast");
  // Whoever reads needs no room, so this shows on what writes: first joining, and then what a session does that joined before.
  if (disk !== null) fill(ballast);
  const strangers = await surfaces.use();
  goesOn(strangers);
  for (const surface of ["opencode", "mcp"] as const)
    expect(strangers.tools[`${surface} send`]).toMatch(
      /^failed: (The database \S+ cannot be used \(.*disk|This session is not registered)/,
    );
  expect(strangers.tools["mcp status"]).toMatch(/^failed: The database \S+ cannot be used \(.*disk/);
  expect(await stage.mail(file)).toEqual(before);

  if (disk !== null) rmSync(ballast);
  else surfaces = await stage.surfaces(file);
  servedEverywhere(await surfaces.use());
  const sent = (await stage.mail(file)).length;
  expect(sent).toBe(before.length + 2);

  if (disk !== null) {
    fill(ballast);
    const members = await surfaces.use();
    goesOn(members);
    for (const surface of ["opencode", "mcp"] as const)
      expect(members.tools[`${surface} send`]).toMatch(/^failed: The database \S+ cannot be used \(.*disk/);
    expect((await stage.mail(file)).length).toBe(sent);
    rmSync(ballast);
    servedEverywhere(await surfaces.use());
    expect((await stage.mail(file)).slice(0, before.length)).toEqual(before);
  }
}, 60_000);

/** Root is bound by no permission, so it becomes a user who is. */
const NOBODY = 65_534;
const asUser = process.getuid?.() === 0 ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

test.each([
  ["a file that may not be written", 0o755, 0o444],
  ["a file and a folder that may not be written", 0o555, 0o444],
  ["a file that may not be read", 0o755, 0o000],
  ["a folder that may not be entered", 0o000, 0o644],
])("%s: every surface says so, and no byte changes", async (_, folderMode, fileMode) => {
  await stage.seed();
  const bytes = readFileSync(stage.file);
  chmodSync(stage.folder, 0o755);
  const surfaces = await stage.surfaces(stage.file, asUser);
  if (asUser.length > 0) chownSync(surfaces.home, NOBODY, NOBODY);
  chmodSync(stage.file, fileMode);
  chmodSync(stage.data, folderMode);
  const round = await surfaces.use();
  chmodSync(stage.data, 0o755);
  refusedEverywhere(round, stage.file, /cannot be (written|opened)|access is denied|EACCES/);
  expect(readFileSync(stage.file).equals(bytes)).toBe(true);
  expect(readdirSync(stage.data)).toEqual(["thatch.db"]);
});

test("a disk that is mounted for reading only: every surface says so", async () => {
  const disk = mountDisk(4_096);
  if (disk === null) return expect(process.getuid?.()).not.toBe(-1);
  const file = join(disk, "thatch.db");
  await stage.seed(file);
  Bun.spawnSync(["mount", "-o", "remount,ro", disk]);
  refusedEverywhere(await (await stage.surfaces(file)).use(), file, /cannot be (written|opened)|EROFS/);
  expect(readFileSync(file).length).toBeGreaterThan(50_000);
});

/** Writes until nothing more fits. */
function fill(file: string): void {
  for (const size of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(file, "x".repeat(size), { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}
