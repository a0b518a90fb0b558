import type { Notice, WakeOutcome, WakeTake } from "../../core/store.ts";
import { isHeld, WAITED_MS, type WakeLimits, wakeBudget } from "../../core/wake.ts";
import type { Connection } from "./connection.ts";
import { SENDER_NAME } from "./rows.ts";

/** The turn that a wake started knows of its mail; one that has not read it after a minute was aborted, failed, or forgot. */
const WAKE_TURN_MS = 60_000;

/** `isDue` of `core/wake.ts` in SQL; `?1` is now, `?2` the re-nudge window. */
const IS_DUE = `read_at IS NULL AND ${waitsSince("?1", "?2")}`;

/** Never delivered, or delivered that long ago; a stamp of the future is that of a clock that was set back, and counts as long ago. */
function waitsSince(now: string, ms: string): string {
  return `(delivered_at IS NULL OR delivered_at > ${now} + ${WAITED_MS} OR ${now} - delivered_at >= ${ms})`;
}

export function due(connection: Connection, sessionIds: readonly string[], at: number, limits: WakeLimits): string[] {
  if (sessionIds.length === 0) return [];
  const rows = connection.all<{ sessionId: string }>(
    `SELECT session_id AS sessionId FROM chat_sessions
     WHERE session_id IN (SELECT value FROM json_each(?3))
       AND EXISTS (SELECT 1 FROM chat_messages WHERE recipient_id = session_id AND ${IS_DUE})`,
    at,
    limits.renudgeMs,
    JSON.stringify(sessionIds),
  );
  return rows.map((row) => row.sessionId);
}

export function takeWake(connection: Connection, sessionId: string, at: number, limits: WakeLimits): WakeTake {
  // Most passes find nothing to do: they must neither lock nor write.
  const first = judge(connection, sessionId, at, limits);
  if (first.kind !== "wake") return first;
  return connection.immediate(() => {
    const take = judge(connection, sessionId, at, limits);
    if (take.kind !== "wake") return take;
    connection.run("UPDATE chat_sessions SET wake_lease_until = ? WHERE session_id = ?", take.lease, sessionId);
    connection.run("INSERT INTO chat_nudges (recipient_id, at) VALUES (?, ?)", sessionId, at);
    return take;
  });
}

export function settleWake(
  connection: Connection,
  sessionId: string,
  take: { readonly lease: number; readonly upToId: number },
  outcome: WakeOutcome,
  at: number,
  limits: WakeLimits,
): void {
  connection.immediate(() => {
    connection.run(
      "UPDATE chat_sessions SET wake_lease_until = NULL WHERE session_id = ? AND wake_lease_until = ?",
      sessionId,
      take.lease,
    );
    if (outcome === "started") {
      connection.run(
        "UPDATE chat_messages SET delivered_at = ? WHERE recipient_id = ? AND read_at IS NULL AND id <= ?",
        at,
        sessionId,
        take.upToId,
      );
    } else if (outcome === "rejected") {
      connection.run(
        `DELETE FROM chat_nudges
         WHERE rowid = (SELECT rowid FROM chat_nudges WHERE recipient_id = ? AND at = ? LIMIT 1)`,
        sessionId,
        chargedAt(take.lease, limits),
      );
    }
  });
}

export function wakes(connection: Connection, sessionId: string, at: number, limits: WakeLimits): number[] {
  const rows = connection.all<{ at: number }>(
    "SELECT at FROM chat_nudges WHERE recipient_id = ? AND at > ? AND at <= ? ORDER BY at",
    sessionId,
    at - limits.windowMs,
    at + limits.windowMs,
  );
  return rows.map((row) => row.at);
}

export function notice(connection: Connection, sessionId: string, at: number): Notice | null {
  const unnoticed = `recipient_id = ?1 AND read_at IS NULL AND noticed_at IS NULL AND ${waitsSince("?2", `${WAKE_TURN_MS}`)}`;
  // Asked after every tool call of a busy session: when there is no news it must not take the write lock.
  if (connection.get(`SELECT 1 FROM chat_messages WHERE ${unnoticed} LIMIT 1`, sessionId, at) === null) return null;
  const rows = connection.change<{ id: number; senderName: string | null }>(
    `UPDATE chat_messages SET noticed_at = ?2
     WHERE ${unnoticed} AND EXISTS (SELECT 1 FROM chat_sessions WHERE session_id = ?1)
     RETURNING id, ${SENDER_NAME}`,
    sessionId,
    at,
  );
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.id - b.id);
  return { count: rows.length, senders: distinct(rows.map((row) => row.senderName)) };
}

/** What `takeWake` answers at this moment. Only reads. */
function judge(connection: Connection, sessionId: string, at: number, limits: WakeLimits): WakeTake {
  const session = connection.get<{ busyUntil: number | null; leaseUntil: number | null }>(
    "SELECT busy_until AS busyUntil, wake_lease_until AS leaseUntil FROM chat_sessions WHERE session_id = ?",
    sessionId,
  );
  if (!session || due(connection, [sessionId], at, limits).length === 0) return { kind: "nothing" };
  if (isHeld(session.busyUntil, at, limits.busyMs)) return { kind: "busy" };
  if (isHeld(session.leaseUntil, at, limits.leaseMs)) return { kind: "leased" };
  const budget = wakeBudget(wakes(connection, sessionId, at, limits), at, limits);
  if (budget.left === 0) return { kind: "capped", freeAt: budget.freeAt };
  // Last, since a mailbox nobody reads is asked for at every commit, and all of it is counted here. A wake tells of all unread mail, also of what is not due by itself: it says how much there is.
  const mail = connection.all<{ senderName: string | null; count: number; upToId: number }>(
    `SELECT ${SENDER_NAME}, count(*) AS count, max(id) AS upToId FROM chat_messages
     WHERE recipient_id = ? AND read_at IS NULL GROUP BY sender_id ORDER BY min(id)`,
    sessionId,
  );
  return {
    kind: "wake",
    lease: leaseFrom(at, limits),
    upToId: Math.max(...mail.map((group) => group.upToId)),
    count: mail.reduce((sum, group) => sum + group.count, 0),
    senders: distinct(mail.map((group) => group.senderName)),
  };
}

/** A lease is named by its end. Whole milliseconds, since a limit taken from a setting may be none. */
function leaseFrom(at: number, limits: WakeLimits): number {
  return at + Math.floor(limits.leaseMs);
}

/** When the wake of this lease was charged to the budget. */
function chargedAt(lease: number, limits: WakeLimits): number {
  return lease - Math.floor(limits.leaseMs);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
