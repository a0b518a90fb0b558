import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { startDoorbell } from "../src/delivery/doorbell.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { type Figure, milliseconds, quantile, wallClock } from "./table.ts";

const COMMITS = 300;

/** Commits to the file given as the argument at random moments, and prints when each began and was done. */
async function commit(file: string): Promise<void> {
  const database = new Database(file);
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = NORMAL");
  database.run("CREATE TABLE IF NOT EXISTS bench (at INTEGER)");
  for (let n = 0; n < COMMITS; n++) {
    await Bun.sleep(5 + Math.random() * 30);
    const began = wallClock();
    database.run("INSERT INTO bench VALUES (1)");
    console.log(`${began} ${wallClock()}`);
  }
}

/** From each commit of another process to the first ring after it. */
async function ringsAfterCommits(file: string, start: (ring: () => void) => () => void): Promise<number[]> {
  const rings: number[] = [];
  const stop = start(() => void rings.push(wallClock()));
  const child = Bun.spawn([process.execPath, import.meta.path, file], { env: process.env, stdout: "pipe" });
  const printed = (await new Response(child.stdout).text()).trim().split("\n");
  await Bun.sleep(200);
  stop();
  // The first commits make the table; a ring may come before the commit has returned to its process.
  return printed.slice(1).map((line) => {
    const [began = Number.NaN, done = Number.NaN] = line.split(" ").map(Number);
    return Math.max(0, (rings.find((ring) => ring >= began) ?? Number.POSITIVE_INFINITY) - done);
  });
}

/** The least that can be done: a file event, and a look at SQLite's counter. */
function bareWatch(file: string, ring: () => void): () => void {
  const database = new Database(file);
  const version = database.prepare<{ data_version: number }, []>("PRAGMA data_version");
  let seen = version.get()?.data_version;
  const watcher = watch(dirname(file), (_, name) => {
    if (name !== `${basename(file)}-wal`) return;
    const now = version.get()?.data_version;
    if (now !== seen) ring();
    seen = now;
  });
  return () => {
    watcher.close();
    database.close();
  };
}

/** What this process measures of thatch's doorbell and of the floor under it. */
export async function doorbellTimes(): Promise<{ bare: number[]; doorbell: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  const file = join(folder, "thatch.db");
  const store = createSqliteStore({ file });
  try {
    await store.roster();
    const bare = await ringsAfterCommits(file, (ring) => bareWatch(file, ring));
    const doorbell = await ringsAfterCommits(file, (ring) => {
      const bell = startDoorbell({ openProbe: () => store.commitProbe(), onCommit: ring, log: console.error });
      return () => bell.stop();
    });
    return { bare, doorbell };
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

/** The doorbell of this Bun against its floor. */
export function doorbellFigure(runtime: string, { bare, doorbell }: { bare: number[]; doorbell: number[] }): Figure {
  // Below half a millisecond the clocks of two processes do not tell more and less apart.
  const floor = Math.max(0.5, quantile(bare, 0.5));
  const ratio = Math.max(0.5, quantile(doorbell, 0.5)) / floor;
  return {
    what: `commit of another process → doorbell rings, ${runtime}`,
    measured: `${milliseconds(doorbell)}, ${ratio.toFixed(1)}x floor`,
    floor: `${milliseconds(bare)}: bare fs.watch and data_version`,
    goal: "median ≤ 2 ms, p99 ≤ 10 ms, median ≤ 3x floor",
    met: quantile(doorbell, 0.5) <= 2 && ratio <= 3 && quantile(doorbell, 0.99) <= 10,
  };
}

const argument = process.argv[2];
if (import.meta.main) {
  if (argument === "--times") console.log(JSON.stringify(await doorbellTimes()));
  else if (argument !== undefined) await commit(argument);
}
