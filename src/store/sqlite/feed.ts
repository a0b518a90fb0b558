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
  const rows = connection.all<{ newestId: number; unreadId: number | null }>(
    `SELECT newest.id AS newestId, chat_messages.id AS unreadId
     FROM (SELECT coalesce(max(id), 0) AS id FROM chat_messages) AS newest
     LEFT JOIN chat_messages INDEXED BY chat_messages_unread ON read_at IS NULL`,
  );
  const unread = new Set<number>();
  for (const { unreadId } of rows) if (unreadId !== null) unread.add(unreadId);
  return { newestId: rows[0]?.newestId ?? 0, unread };
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
