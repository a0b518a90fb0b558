import { readFileSync } from "node:fs";
import type { CommitProbe } from "../src/core/store.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { openStage, type Stage } from "./stage.ts";
import type { Figure } from "./table.ts";

const MINUTES = 2;
/** Linux counts a process's time in hundredths of a second (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** Processor time of a process so far, in seconds. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Commits that are seen within this time. The counter only tells that there was one since the last look, hence many looks. */
async function commitsIn(durationMs: number, probe: CommitProbe): Promise<number> {
  let commits = 0;
  for (let seen = probe.version(), end = performance.now() + durationMs; performance.now() < end; await Bun.sleep(50)) {
    const version = probe.version();
    if (version !== seen) commits++;
    seen = version;
  }
  return commits;
}

/** What a process that hosts an idle session costs, beside one without thatch that does the same nothing. */
export async function idleFigures(): Promise<Figure[]> {
  const stage: Stage = await openStage();
  try {
    const [hosting, bare] = [await stage.serve("hosting"), await stage.serve("bare", { thatch: false })];
    const probe = createSqliteStore({ file: stage.databasePath }).commitProbe();
    const before = {
      version: probe.version(),
      hosting: cpuSeconds(hosting.serve.pid),
      bare: cpuSeconds(bare.serve.pid),
    };
    const writes = (await commitsIn(MINUTES * 60_000, probe)) / MINUTES;
    const share = (pid: number, seconds: number) => ((cpuSeconds(pid) - seconds) / (MINUTES * 60)) * 100;
    const [with_, without] = [share(hosting.serve.pid, before.hosting), share(bare.serve.pid, before.bare)];
    probe.close();
    return [
      {
        what: "writes of an idle hosting process",
        measured: `${writes.toFixed(1)} a minute`,
        floor: "2 a minute: one heartbeat in 30 s",
        goal: "≤ 3 a minute",
        met: writes <= 3,
      },
      {
        what: "processor time of an idle hosting process",
        measured: `${with_.toFixed(2)} % of a core`,
        floor: `${without.toFixed(2)} %: opencode without thatch`,
        goal: "< 0.2 % of a core more than without",
        met: with_ - without < 0.2,
      },
    ];
  } finally {
    await stage.close();
  }
}
