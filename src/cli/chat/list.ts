import { list } from "../../chat/list.ts";
import { isStale } from "../../core/liveness.ts";
import { reachOf } from "../../core/roster.ts";
import type { RosterRow } from "../../core/session.ts";
import { isMissing } from "../../platform/is-missing.ts";
import { emptyRoster } from "../../text/cli.ts";
import { jsonLine } from "../../text/json-line.ts";
import type { CliContext } from "../context.ts";
import { asFault } from "../fault.ts";
import { lookAtTerminal } from "../terminal.ts";
import { rosterLines } from "./roster-lines.ts";

export interface ListFlags {
  /** Stale rows are shown when they were last seen within that many days. */
  readonly stale?: number;
  readonly json: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Older stale rows are counted, not shown, unless the person asks for them. */
const USUAL_STALE_DAYS = 1;

/** Prints the directory. Where there is no database yet, none is made. */
export async function runList(this: CliContext, flags: ListFlags): Promise<void> {
  const { databaseFile, pollMs } = this.settings;
  const exists = !isMissing(databaseFile);
  const roster = exists
    ? await list({ store: this.store, clock: this.clock, pollMs }).catch((error: unknown) => {
        throw asFault(error);
      })
    : { active: [], stale: [], now: this.clock.now() };

  if (flags.json) {
    const days = flags.stale ?? Number.POSITIVE_INFINITY;
    const rows = [...roster.active, ...roster.stale.filter((row) => isWithin(row, roster.now, days))];
    this.output.out(rows.map((row) => `${jsonLine(jsonRow(row, roster.now, pollMs))}\n`).join(""));
    return;
  }
  if (roster.active.length + roster.stale.length === 0) {
    this.output.out(`${emptyRoster(databaseFile, exists)}\n`);
    return;
  }
  const days = flags.stale ?? USUAL_STALE_DAYS;
  const shown = roster.stale.filter((row) => isWithin(row, roster.now, days));
  const terminal = await lookAtTerminal(this.environment);
  const hidden = { count: roster.stale.length - shown.length, days };
  const lines = rosterLines({ ...roster, stale: shown }, hidden, terminal);
  this.output.out(lines.map((line) => `${line}\n`).join(""));
}

function isWithin(row: RosterRow, now: number, days: number): boolean {
  return now - row.lastSeenAt <= days * DAY_MS;
}

function jsonRow(row: RosterRow, now: number, pollMs: number) {
  return {
    name: row.name,
    sessionId: row.sessionId,
    host: row.host,
    topic: row.topic,
    project: row.project,
    directory: row.directory,
    loc: row.worktree,
    lastSeen: new Date(row.lastSeenAt).toISOString(),
    stale: isStale(row, now, pollMs),
    unread: row.unread,
    reach: reachOf(row),
  };
}
