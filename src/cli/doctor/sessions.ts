import { SESSION_TTL_MS } from "../../core/liveness.ts";
import type { RosterRow } from "../../core/session.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { asFault, CliFault } from "../fault.ts";
import { broken, type Check, ok, warn } from "./check.ts";
import { readDirectory } from "./directory.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The sweep runs once an hour; a day later it is overdue. */
const OVERDUE_MS = SESSION_TTL_MS + DAY_MS;
const TTL_DAYS = SESSION_TTL_MS / DAY_MS;

/** The directory: who is in it, who shares a folder, who has been silent for long. */
export async function checkSessions(context: CliContext): Promise<Check[]> {
  const is = SUBJECT.sessions;
  try {
    const directory = await readDirectory(context);
    // What is wrong with the database is the finding of its own check.
    if (directory === null) return [ok(is, FINDING.nobody)];
    const { active, stale, now } = directory;
    if (active.length + stale.length === 0) return [ok(is, FINDING.nobody)];
    const checks = [ok(is, FINDING.roster(active.length, stale.length))];
    for (const [directory, rows] of byDirectory(active)) {
      const names = rows.map((row) => row.name);
      if (rows.length > 1) checks.push(warn(is, FINDING.shared(names, directory), FINDING.sharedFix));
    }
    const silent = (ms: number) => stale.filter((row) => now - row.lastSeenAt > ms).length;
    const overdue = silent(OVERDUE_MS);
    if (overdue > 0) checks.push(warn(is, FINDING.overdue(overdue, TTL_DAYS), FINDING.overdueFix));
    else if (silent(DAY_MS) > 0) checks.push(ok(is, FINDING.longStale(silent(DAY_MS), TTL_DAYS)));
    return checks;
  } catch (error) {
    const fault = asFault(error);
    if (!(fault instanceof CliFault)) throw error;
    return [broken(is, FINDING.rosterFailed, FINDING.rosterFailedFix)];
  }
}

function byDirectory(rows: readonly RosterRow[]): Map<string, RosterRow[]> {
  return Map.groupBy(rows, (row) => row.directory);
}
