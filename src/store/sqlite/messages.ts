import { pageOf } from "../../core/inbox.ts";
import type { Message } from "../../core/message.ts";
import type { BroadcastOutcome, InboxPage, MailboxCount, Notice, PageLimits, SendOutcome } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import {
  encodeBody,
  MESSAGE_COLUMNS,
  type MessageRow,
  NAMED_MESSAGE_COLUMNS,
  type NamedMessageRow,
  SENDER_NAME,
  toMessage,
} from "./rows.ts";

interface Letter {
  readonly senderId: string;
  readonly recipientId: string;
  readonly body: string;
  readonly replyTo: number | null;
  readonly at: number;
}

export function send(connection: Connection, letter: Letter): SendOutcome {
  return connection.immediate((): SendOutcome => {
    const row = connection.get<MessageRow>(
      `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, reply_to, sent_at)
       SELECT ?1, ?2, ?3, 0, ?4, ?5
       WHERE EXISTS (SELECT 1 FROM chat_sessions WHERE session_id = ?1)
         AND EXISTS (SELECT 1 FROM chat_sessions WHERE session_id = ?2)
         AND (?4 IS NULL OR EXISTS (SELECT 1 FROM chat_messages WHERE id = ?4 AND ?1 IN (sender_id, recipient_id)))
       RETURNING ${MESSAGE_COLUMNS}`,
      letter.senderId,
      letter.recipientId,
      encodeBody(letter.body),
      letter.replyTo,
      letter.at,
    );
    if (row) return { kind: "sent", message: toMessage(row) };
    if (!isRegistered(connection, letter.senderId)) return { kind: "sender-missing" };
    if (!isRegistered(connection, letter.recipientId)) return { kind: "recipient-missing" };
    return { kind: "reply-missing" };
  });
}

type Circular = Omit<Letter, "recipientId" | "replyTo"> & { readonly recipientIds: readonly string[] };

export function broadcast(connection: Connection, circular: Circular): BroadcastOutcome {
  return connection.immediate((): BroadcastOutcome => {
    const rows = connection.all<MessageRow>(
      `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at)
       SELECT ?1, session_id, ?2, 1, ?3 FROM json_each(?4) JOIN chat_sessions ON session_id = value
       WHERE EXISTS (SELECT 1 FROM chat_sessions WHERE session_id = ?1)
       ORDER BY key
       RETURNING ${MESSAGE_COLUMNS}`,
      circular.senderId,
      encodeBody(circular.body),
      circular.at,
      JSON.stringify([...new Set(circular.recipientIds)]),
    );
    if (rows.length === 0 && !isRegistered(connection, circular.senderId)) return { kind: "sender-missing" };
    return { kind: "sent", messages: byId(rows.map((row): Message => toMessage(row))) };
  });
}

export function read(connection: Connection, recipientId: string, limits: PageLimits, at: number): InboxPage {
  // An empty inbox is the common case, and must not cost a write lock.
  if (count(connection, recipientId).unread === 0) return { messages: [], remaining: 0 };
  return connection.immediate(() => {
    const unread = connection.all<NamedMessageRow>(
      `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages WHERE recipient_id = ? AND read_at IS NULL ORDER BY id LIMIT ?`,
      recipientId,
      atLeastOne(limits),
    );
    const page = pageOf(
      unread.map((row) => toMessage(row)),
      limits,
    );
    const last = page.at(-1);
    if (last) {
      connection.run(
        "UPDATE chat_messages SET read_at = ? WHERE recipient_id = ? AND read_at IS NULL AND id <= ?",
        at,
        recipientId,
        last.id,
      );
    }
    const messages = page.map((message) => ({ ...message, readAt: at }));
    return { messages, remaining: count(connection, recipientId).unread };
  });
}

export function readAgain(connection: Connection, recipientId: string, limits: PageLimits): InboxPage {
  const newest = connection.all<NamedMessageRow>(
    `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages WHERE recipient_id = ? AND read_at IS NOT NULL ORDER BY id DESC LIMIT ?`,
    recipientId,
    atLeastOne(limits),
  );
  const page = pageOf(
    newest.map((row) => toMessage(row)),
    limits,
  ).reverse();
  const { total, unread } = count(connection, recipientId);
  // A message read by another process between the two statements only makes the remainder larger.
  return { messages: page, remaining: total - unread - page.length };
}

export function count(connection: Connection, recipientId: string): MailboxCount {
  const row = connection.get<{ unread: number; read: number }>(
    `SELECT (SELECT count(*) FROM chat_messages WHERE recipient_id = ?1 AND read_at IS NULL) AS unread,
            (SELECT count(*) FROM chat_messages WHERE recipient_id = ?1 AND read_at IS NOT NULL) AS read`,
    recipientId,
  );
  const { unread, read } = row ?? { unread: 0, read: 0 };
  return { unread, total: unread + read };
}

export function unread(connection: Connection, recipientId: string): Notice | null {
  const senders = connection.all<{ senderName: string | null; count: number }>(
    `SELECT ${SENDER_NAME}, count(*) AS count FROM chat_messages
     WHERE recipient_id = ? AND read_at IS NULL GROUP BY sender_id ORDER BY min(id)`,
    recipientId,
  );
  if (senders.length === 0) return null;
  return {
    count: senders.reduce((sum, sender) => sum + sender.count, 0),
    senders: [...new Set(senders.map(({ senderName }) => senderName))],
  };
}

function isRegistered(connection: Connection, sessionId: string): boolean {
  return connection.get("SELECT 1 FROM chat_sessions WHERE session_id = ?", sessionId) !== null;
}

/** How many rows to fetch: a page holds at least one message, and never more than its limit. */
function atLeastOne(limits: PageLimits): number {
  return Math.max(1, limits.messages);
}

/** SQLite promises no order for the rows of a RETURNING clause. */
function byId<T extends Message>(messages: T[]): T[] {
  return messages.sort((a, b) => a.id - b.id);
}
