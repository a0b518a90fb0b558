import type { Session } from "./session.ts";

/** A row that missed this many beats is stale. Two rather than one, so that a single late beat does not flap the roster. */
export const MISSED_BEATS_TO_STALE = 2;

/** Rows silent for this long are pruned: 7 days. */
export const SESSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** The one rule of staleness: no heartbeat within two poll intervals. A heartbeat from the future (a jumped clock) is fresh. */
export function isStale(session: Pick<Session, "lastSeenAt">, now: number, pollMs: number): boolean {
  return now - session.lastSeenAt >= staleAfterMs(pollMs);
}

/** How long a heartbeat keeps a row fresh. */
export function staleAfterMs(pollMs: number): number {
  return MISSED_BEATS_TO_STALE * pollMs;
}
