import type { ProcessIdentity } from "../../core/process.ts";
import type { HostMode } from "../../core/session.ts";
import type { Connection } from "./connection.ts";

interface Sign {
  readonly at: number;
  readonly busyUntil?: number | null;
  readonly hostMode?: HostMode | null;
}

export function signOfLife(
  connection: Connection,
  sessionId: string,
  sign: Sign,
): { name: string; unread: number } | null {
  const { at, busyUntil, hostMode } = sign;
  const rows = connection.change<{ name: string; unread: number }>(
    `UPDATE chat_sessions SET
       last_seen_at = ?2,
       busy_until = CASE WHEN ?3 THEN ?4 ELSE busy_until END,
       host_mode = CASE WHEN ?5 THEN ?6 WHEN host_mode = 'closed' THEN NULL ELSE host_mode END
     WHERE session_id = ?1
     RETURNING name, (SELECT count(*) FROM chat_messages WHERE recipient_id = session_id AND read_at IS NULL) AS unread`,
    sessionId,
    at,
    Number(busyUntil !== undefined),
    busyUntil == null ? null : Math.floor(busyUntil),
    Number(hostMode !== undefined),
    hostMode ?? null,
  );
  return rows[0] ?? null;
}

export function anchor(connection: Connection, process: ProcessIdentity, sessionId: string, at: number): void {
  // Said at every prompt: it must not write, and ring everybody, where nothing is new.
  if (anchored(connection, process) === sessionId) return;
  connection.change(
    `INSERT INTO chat_host_pids (pid, started_at, session_id, seen_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET session_id = excluded.session_id, seen_at = excluded.seen_at`,
    process.pid,
    process.startedAt,
    sessionId,
    at,
  );
}

export function anchored(connection: Connection, process: ProcessIdentity): string | null {
  const row = connection.get<{ sessionId: string }>(
    "SELECT session_id AS sessionId FROM chat_host_pids WHERE pid = ? AND started_at = ?",
    process.pid,
    process.startedAt,
  );
  return row?.sessionId ?? null;
}

/** Everything a session is known by. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ["chat_messages", "sender_id"],
  ["chat_messages", "recipient_id"],
  ["chat_host_pids", "session_id"],
  ["chat_nudges", "recipient_id"],
];

export function continueSession(connection: Connection, fromId: string, toId: string): boolean {
  if (fromId === toId) return false;
  return connection.immediate(() => {
    const exists = (table: string, id: string) =>
      connection.get(`SELECT 1 FROM ${table} WHERE session_id = ?`, id) !== null;
    if (exists("chat_sessions", toId) || exists("chat_leave_tombstones", toId)) return false;
    if (!exists("chat_sessions", fromId) && !exists("chat_leave_tombstones", fromId)) return false;
    connection.run("UPDATE chat_sessions SET session_id = ? WHERE session_id = ?", toId, fromId);
    connection.run("UPDATE chat_leave_tombstones SET session_id = ? WHERE session_id = ?", toId, fromId);
    for (const [table, column] of COLUMNS) {
      connection.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, toId, fromId);
    }
    return true;
  });
}
