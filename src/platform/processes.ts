import { readFileSync } from "node:fs";
import { splitProcCmdline, splitPsArgs } from "../core/command-line.ts";
import type { RunningProcess } from "../core/process.ts";

/** How far up it looks: npx, npm and two shells are four. */
const LONGEST_ANCESTRY = 8;
/** pid 1 starts whatever lost its parent, and is nobody's host. */
const INIT = 1;

/** The running ancestors of a process, from the one with this pid upwards, asked for one by one. Ends where the system tells no more. */
export function* ancestorsFrom(pid: number): Generator<RunningProcess> {
  let next = pid;
  for (let n = 0; n < LONGEST_ANCESTRY && next > INIT; n++) {
    const found = runningProcess(next);
    if (found === null) return;
    yield found;
    next = found.parentPid;
  }
}

/** What the system knows of a process; null when it does not run, or is not ours to see. */
export function runningProcess(pid: number): RunningProcess | null {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold anything; proc(5) counts from 1.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent, ticks] = [fields[1], fields[19]];
    if (parent === undefined || ticks === undefined) return null;
    return {
      pid,
      startedAt: `${ticks}@${bootId()}`,
      parentPid: Number(parent),
      args: splitProcCmdline(readFileSync(`/proc/${pid}/cmdline`, "utf8")),
    };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** Start times count from the boot, and begin again with the next one. */
function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
}

function fromPs(pid: number): RunningProcess | null {
  const ps = Bun.spawnSync(["ps", "-o", "ppid=,lstart=,args=", "-p", String(pid)], {
    env: { ...process.env, LC_ALL: "C" },
  });
  // lstart is "Tue Dec  1 13:40:00 2026".
  const match = /^\s*(\d+)\s+(\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})\s+(.*)$/s.exec(ps.stdout.toString().trimEnd());
  if (!ps.success || match === null) return null;
  const [, parent = "", startedAt = "", args = ""] = match;
  return { pid, startedAt, parentPid: Number(parent), args: splitPsArgs(args) };
}
