import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { under } from "../store/child/start.ts";
import { goesOn, refusedEverywhere, servedEverywhere } from "./refused.ts";
import { FaultStage } from "./stage.ts";

let stage: FaultStage;
beforeEach(() => {
  stage = new FaultStage();
});
afterEach(() => stage.close());

const FULL = /^failed: The database \S+ cannot be used \(the disk (is full|failed to read or write it)/;
const FULL_OR_UNKNOWN = new RegExp(`${FULL.source}|^failed: This session is not registered`);

const canMount = (() => {
  const point = mkdtempSync(join(tmpdir(), "thatch-mount-"));
  const { success, stderr } = mount(point, 64);
  if (success) Bun.spawnSync(["umount", point]);
  else
    console.log(
      `No disk can be mounted here (${stderr.toString().trim()}): limits and permissions stand in for full and read-only ones.`,
    );
  rmdirSync(point);
  return success;
})();

function mount(point: string, kilobytes: number) {
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", point]);
}

/** A disk of its own of this size, mounted until the test ends. */
function disk(kilobytes: number): string {
  const point = join(stage.folder, "disk");
  mkdirSync(point);
  const { success, stderr } = mount(point, kilobytes);
  if (!success) throw new Error(`the disk was not mounted: ${stderr}`);
  stage.later(() => void Bun.spawnSync(["umount", "-l", point]));
  return point;
}

/** A place for a database, with all the room there is and then none. */
function scarcePlace() {
  if (!canMount) {
    // The same for every process, but for one that is started with more.
    return { file: stage.file, before: under("trap '' XFSZ; ulimit -f 32"), take() {}, give() {} };
  }
  const place = disk(1_024);
  const ballast = join(place, "ballast");
  return { file: join(place, "thatch.db"), before: [], take: () => fill(ballast), give: () => rmSync(ballast) };
}

test("a full disk: what is refused is said by every surface, what was stored stays, and all work once there is room", async () => {
  const { file, before, take, give } = scarcePlace();
  await stage.seed(file);
  const stored = await stage.mail(file);
  expect(stored.length).toBe(50);
  const scarce = await stage.surfaces(file, before);
  take();
  // Nobody is registered yet, and joining needs room.
  const strangers = await scarce.use();
  goesOn(strangers);
  expect(strangers.tools["mcp status"]).toMatch(FULL);
  expect(await stage.mail(file)).toEqual(stored);

  give();
  const ample = before.length === 0 ? scarce : await stage.surfaces(file);
  servedEverywhere(await ample.use());
  const sent = await stage.mail(file);
  expect(sent.length).toBe(stored.length + 2);

  take();
  const members = await scarce.use();
  goesOn(members);
  for (const surface of ["opencode", "mcp"] as const) expect(members.tools[`${surface} send`]).toMatch(FULL_OR_UNKNOWN);
  expect(await stage.mail(file)).toEqual(sent);
  give();
  servedEverywhere(await ample.use());
  expect((await stage.mail(file)).slice(0, sent.length)).toEqual(sent);
}, 60_000);

/** Root is bound by no permission unless it gives that privilege up. */
const bound = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

const permissions = (folder: number, file: number) => () => {
  chmodSync(stage.file, file);
  chmodSync(stage.data, folder);
  return stage.file;
};
const UNWRITABLE: [string, () => string][] = [
  ["a file and a folder that may not be written", permissions(0o555, 0o444)],
  ["a file that may not be read", permissions(0o755, 0o000)],
  ["a folder that may not be entered", permissions(0o000, 0o644)],
];
if (canMount) UNWRITABLE.push(["a disk that is mounted for reading only", readOnlyDisk]);

function readOnlyDisk(): string {
  const place = disk(1_024);
  const file = join(place, "thatch.db");
  copyFileSync(stage.file, file);
  Bun.spawnSync(["mount", "-o", "remount,ro", place]);
  return file;
}

test.each(UNWRITABLE)("%s: every surface says so, and no byte changes", async (_, make) => {
  await stage.seed();
  const bytes = readFileSync(stage.file);
  const file = make();
  const round = await (await stage.surfaces(file, bound)).use();
  chmodSync(stage.data, 0o755);
  refusedEverywhere(round, file, /cannot be (written|opened)|access is denied|EACCES|EROFS/);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("a file that may not be written in a folder that may be: what writes says so, what reads may answer, and no byte changes", async () => {
  await stage.seed();
  const bytes = readFileSync(stage.file);
  const round = await (await stage.surfaces(permissions(0o755, 0o444)(), bound)).use();
  goesOn(round);
  expect(round.tools["mcp status"]).toMatch(/^failed: The database \S+ cannot be used \(it cannot be written/);
  for (const surface of ["opencode", "mcp"] as const)
    expect(round.tools[`${surface} send`]).toMatch(
      /^failed: (The database \S+ cannot be used \(it cannot be |This session is not registered)/,
    );
  expect(readFileSync(stage.file).equals(bytes)).toBe(true);
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
