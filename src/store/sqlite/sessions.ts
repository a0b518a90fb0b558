import { assignedName } from "../../core/names.ts";
import type { NewSession, RosterRow, Session } from "../../core/session.ts";
import type { Registration } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { SESSION_COLUMNS } from "./rows.ts";

/** Sorts behind every other: SQLite compares the bytes of UTF-8. */
const LAST_CHARACTER = "\u{10ffff}";

/** A day: seldom enough to cost nothing, and often enough for a sweep of days. */
const TOMBSTONE_RENEWED_MS = 24 * 60 * 60 * 1000;

interface How {
  readonly base: string;
  readonly at: number;
  readonly tombstone: "respect" | "clear";
}

export function register(connection: Connection, session: NewSession, how: How): Registration {
  // Hosts ask again at every idle moment: a session that left must not cost a write lock each time.
  if (how.tombstone === "respect" && stays(connection, session.sessionId, how.at)) return { kind: "left" };
  return connection.immediate((): Registration => {
    if (how.tombstone === "clear") {
      connection.run("DELETE FROM chat_leave_tombstones WHERE session_id = ?", session.sessionId);
    } else if (stays(connection, session.sessionId, how.at)) {
      return { kind: "left" };
    }
    const kept = renew(connection, session, how.at);
    if (kept) return { kind: "kept", session: kept };
    return { kind: "created", session: insert(connection, session, drawName(connection, how.base), how.at) };
  });
}

export function leave(connection: Connection, sessionId: string, at: number): Session | null {
  return connection.immediate(() => {
    connection.run(
      `INSERT INTO chat_leave_tombstones (session_id, left_at) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET left_at = excluded.left_at`,
      sessionId,
      at,
    );
    return connection.get<Session>(
      `DELETE FROM chat_sessions WHERE session_id = ? RETURNING ${SESSION_COLUMNS}`,
      sessionId,
    );
  });
}

export function find(connection: Connection, idOrName: string): Session | null {
  // One after the other: an id is what is mostly asked for, and SQLite takes four times as long for both in one statement.
  const by = (column: string) =>
    connection.get<Session>(`SELECT ${SESSION_COLUMNS} FROM chat_sessions WHERE ${column} = ?`, idOrName);
  return by("session_id") ?? by("name");
}

export function startingWith(connection: Connection, start: string): Session[] {
  return connection.all<Session>(
    `SELECT ${SESSION_COLUMNS} FROM chat_sessions WHERE session_id >= ?1 AND session_id < ?2 ORDER BY session_id`,
    start,
    start + LAST_CHARACTER,
  );
}

/** Names are not kept once their session is gone; the counters tell which were drawn. */
export function wasAssigned(connection: Connection, name: string): boolean {
  const { base, count } = parseName(name);
  const row = connection.get<{ found: number }>(
    `SELECT EXISTS (SELECT 1 FROM chat_name_counters WHERE (base = ? AND last >= 1) OR (base = ? AND last >= ?)) AS found`,
    name,
    base,
    count,
  );
  return row?.found === 1;
}

export function roster(connection: Connection): RosterRow[] {
  return connection.all<RosterRow>(
    `SELECT ${SESSION_COLUMNS},
       (SELECT count(*) FROM chat_messages WHERE recipient_id = session_id AND read_at IS NULL) AS unread
     FROM chat_sessions`,
  );
}

interface Beat {
  readonly sessionIds: readonly string[];
  readonly busyIds: readonly string[];
  readonly at: number;
  readonly busyUntil: number;
}

/** The new end of a turn replaces the old one even where it is earlier: one stamped by a clock that jumped must not stay. */
export function beat(connection: Connection, { sessionIds, busyIds, at, busyUntil }: Beat): void {
  if (sessionIds.length === 0 && busyIds.length === 0) return;
  connection.change(
    `UPDATE chat_sessions SET
       last_seen_at = CASE WHEN session_id IN (SELECT value FROM json_each(?1)) THEN ?3 ELSE last_seen_at END,
       busy_until = CASE WHEN session_id IN (SELECT value FROM json_each(?2)) THEN ?4 ELSE busy_until END
     WHERE session_id IN (SELECT value FROM json_each(?1) UNION SELECT value FROM json_each(?2))`,
    JSON.stringify(sessionIds),
    JSON.stringify(busyIds),
    at,
    Math.floor(busyUntil),
  );
}

/** Writes nothing where nothing changes, since every commit rings every process. */
export function setBusy(connection: Connection, sessionId: string, busyUntil: number | null): void {
  const until = busyUntil === null ? null : Math.floor(busyUntil);
  connection.change(
    "UPDATE chat_sessions SET busy_until = ?1 WHERE session_id = ?2 AND busy_until IS NOT ?1",
    until,
    sessionId,
  );
}

export function setTopic(connection: Connection, sessionId: string, topic: string): void {
  connection.change("UPDATE chat_sessions SET topic = ?1 WHERE session_id = ?2 AND topic IS NOT ?1", topic, sessionId);
}

/** Whether the session left and is to stay out. A tombstone that is still asked for is kept young: else the sweep would undo a leave. */
function stays(connection: Connection, sessionId: string, at: number): boolean {
  const row = connection.get<{ at: number }>(
    "SELECT left_at AS at FROM chat_leave_tombstones WHERE session_id = ?",
    sessionId,
  );
  if (!row) return false;
  if (at - row.at >= TOMBSTONE_RENEWED_MS) {
    connection.run("UPDATE chat_leave_tombstones SET left_at = ? WHERE session_id = ?", at, sessionId);
  }
  return true;
}

function renew(connection: Connection, session: NewSession, at: number): Session | null {
  return connection.get<Session>(
    `UPDATE chat_sessions
     SET host = ?, host_mode = ?, topic = coalesce(?, topic), project = ?, directory = ?, last_seen_at = ?
     WHERE session_id = ? RETURNING ${SESSION_COLUMNS}`,
    session.host,
    session.hostMode,
    session.topic,
    session.project,
    session.directory,
    at,
    session.sessionId,
  );
}

/** The counter only ever grows, so that no name comes twice on one machine. */
function drawName(connection: Connection, base: string): string {
  const row = connection.get<{ last: number }>(
    `INSERT INTO chat_name_counters (base, last) VALUES (?, 1)
     ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last`,
    base,
  );
  if (!row) throw new Error(`SQLite returned no counter for the name ${base}`);
  return assignedName(base, row.last);
}

function insert(connection: Connection, session: NewSession, name: string, at: number): Session {
  const row = connection.get<Session>(
    `INSERT INTO chat_sessions
       (session_id, name, host, host_mode, topic, project, directory, worktree, registered_at, last_seen_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9) RETURNING ${SESSION_COLUMNS}`,
    session.sessionId,
    name,
    session.host,
    session.hostMode,
    session.topic,
    session.project,
    session.directory,
    session.worktree,
    at,
  );
  if (!row) throw new Error(`SQLite returned no row for the session ${session.sessionId}`);
  return row;
}

/** The base and the count an assigned name was made of; a name of another form counts as a base that was drawn once. */
function parseName(name: string): { base: string; count: number } {
  const [, base, digits] = /^(.+)-([1-9]\d*)$/.exec(name) ?? [];
  const count = Number(digits);
  return base !== undefined && assignedName(base, count) === name ? { base, count } : { base: name, count: 1 };
}
