import type { NamedMessage } from "../../core/message.ts";
import type { FeedChanges } from "../../core/store.ts";
import type { TailState } from "../../core/tail.ts";
import type { Connection } from "./connection.ts";
import { NAMED_MESSAGE_COLUMNS, type NamedMessageRow, toMessage } from "./rows.ts";

/** The greatest number that SQLite and JavaScript both count to. */
const BEYOND_EVERY_ID = Number.MAX_SAFE_INTEGER;

export function newest(connection: Connection, limit: number | null, before = BEYOND_EVERY_ID): NamedMessage[] {
  // SQLite takes a negative limit as none.
  const rows = connection.all<NamedMessageRow>(
    `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages WHERE id < ? ORDER BY id DESC LIMIT ?`,
    before,
    limit ?? -1,
  );
  return rows.map((row) => toMessage(row)).reverse();
}

/** Both from one statement: a message that is stored between two would be neither known nor new. */
export function state(connection: Connection): TailState {
  const rows = connection.all<{ id: number; newest: 0 | 1 }>(
    `SELECT coalesce(max(id), 0) AS id, 1 AS newest FROM chat_messages
     UNION ALL SELECT id, 0 FROM chat_messages INDEXED BY chat_messages_unread WHERE read_at IS NULL`,
  );
  const unread = new Set<number>();
  let newestId = 0;
  for (const { id, newest } of rows) {
    if (newest) newestId = id;
    else unread.add(id);
  }
  return { newestId, unread };
}

/** By keys alone: what it costs grows with what is new and what is unread, not with the history. */
export function changes(connection: Connection, known: TailState, limit: number): FeedChanges {
  const read = connection.all<NamedMessageRow>(
    `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages
     WHERE id IN (SELECT value FROM json_each(?)) AND read_at IS NOT NULL ORDER BY id`,
    JSON.stringify([...known.unread]),
  );
  const sent = connection.all<NamedMessageRow>(
    `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages WHERE id > ? ORDER BY id LIMIT ?`,
    known.newestId,
    limit,
  );
  const newestId = connection.get<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM chat_messages")?.id ?? 0;
  return { messages: [...read, ...sent].map((row) => toMessage(row)), newestId };
}
