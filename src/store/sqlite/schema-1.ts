/**
 * The first schema. Times are integer milliseconds since the epoch.
 *
 * Messages have no foreign keys to sessions: leaving the directory must not be blocked by history. Bodies are UTF-8 in a
 * BLOB, because Bun 1.3 drops a leading byte order mark from TEXT. Every message is in exactly one of the two partial
 * indexes. Two wakes of one recipient may fall into one millisecond, so `chat_nudges` has no key.
 */
export const SCHEMA_1: readonly string[] = [
  `CREATE TABLE chat_sessions (
    session_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    host TEXT NOT NULL,
    host_mode TEXT,
    topic TEXT,
    project TEXT,
    directory TEXT NOT NULL,
    worktree TEXT,
    registered_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    busy_until INTEGER,
    wake_lease_until INTEGER
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE chat_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sender_id TEXT NOT NULL,
    recipient_id TEXT NOT NULL,
    body BLOB NOT NULL,
    via_broadcast INTEGER NOT NULL CHECK (via_broadcast IN (0, 1)),
    reply_to INTEGER,
    sent_at INTEGER NOT NULL,
    noticed_at INTEGER,
    delivered_at INTEGER,
    read_at INTEGER
  ) STRICT`,
  "CREATE INDEX chat_messages_unread ON chat_messages (recipient_id, id) WHERE read_at IS NULL",
  "CREATE INDEX chat_messages_read ON chat_messages (recipient_id, id) WHERE read_at IS NOT NULL",

  `CREATE TABLE chat_name_counters (
    base TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE chat_leave_tombstones (
    session_id TEXT NOT NULL PRIMARY KEY,
    left_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE chat_host_pids (
    pid INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    session_id TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (pid, started_at)
  ) STRICT, WITHOUT ROWID`,

  `CREATE TABLE chat_nudges (
    recipient_id TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX chat_nudges_by_recipient ON chat_nudges (recipient_id, at)",
];
