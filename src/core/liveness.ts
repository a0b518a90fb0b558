import type { Session } from "./session.ts";

/** A row that missed this many beats is stale. Two rather than one, so that a single late beat does not flap the roster. */
export const MISSED_BEATS_TO_STALE = 2;

/** Rows silent for this long are pruned: 7 days. */
export const SESSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The one rule of staleness: no heartbeat within two poll intervals. A heartbeat from the future (a jumped clock) is fresh. A session
 * for which nothing beats is only between two turns, however old its last sign of life is, unless its conversation was closed.
 */
export function isStale(
  session: Pick<Session, "lastSeenAt" | "host" | "hostMode">,
  now: number,
  pollMs: number,
): boolean {
  if (session.hostMode === "closed") return true;
  return isBeatenFor(session) && now - session.lastSeenAt >= staleAfterMs(pollMs);
}

/** Whether a process beats for this session as long as it is hosted. */
function isBeatenFor({ host, hostMode }: Pick<Session, "host" | "hostMode">): boolean {
  return host === "opencode" || hostMode === "served";
}

/** How long a heartbeat keeps a row fresh. */
export function staleAfterMs(pollMs: number): number {
  return MISSED_BEATS_TO_STALE * pollMs;
}
