import { pageOf } from "../../core/inbox.ts";
import type { Message, NamedMessage } from "../../core/message.ts";
import {
  type BroadcastOutcome,
  COUNTED_READ_MESSAGES,
  type InboxPage,
  type MailboxCount,
  type Notice,
  type PageLimits,
  type SendOutcome,
} from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { encodeBody, NAMED_MESSAGE_COLUMNS, type NamedMessageRow, SENDER_NAME, toMessage } from "./rows.ts";

interface Letter {
  readonly senderId: string;
  readonly recipientId: string;
  readonly body: string;
  readonly replyTo: number | null;
  readonly at: number;
}

export function send(connection: Connection, letter: Letter): SendOutcome {
  const body = encodeBody(letter.body);
  return connection.immediate((): SendOutcome => {
    if (!isRegistered(connection, letter.senderId)) return { kind: "sender-missing" };
    if (!isRegistered(connection, letter.recipientId)) return { kind: "recipient-missing" };
    if (letter.replyTo !== null && !isBetween(connection, letter, letter.replyTo)) {
      return { kind: "reply-missing" };
    }
    return { kind: "sent", message: insert(connection, letter, body, false) };
  });
}

/**
 * The write lock is held meanwhile. Plain values, and the row put together here: SQLite takes half as long again for an INSERT that selects
 * and returns its row.
 */
function insert(connection: Connection, letter: Letter, body: Uint8Array, viaBroadcast: boolean): Message {
  const id = connection.insert(
    `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, reply_to, sent_at) VALUES (?, ?, ?, ?, ?, ?)`,
    letter.senderId,
    letter.recipientId,
    body,
    Number(viaBroadcast),
    letter.replyTo,
    letter.at,
  );
  const { at: sentAt, ...ends } = letter;
  return { id, ...ends, viaBroadcast, sentAt, noticedAt: null, deliveredAt: null, readAt: null };
}

type Circular = Omit<Letter, "recipientId" | "replyTo"> & { readonly recipientIds: readonly string[] };

export function broadcast(connection: Connection, circular: Circular): BroadcastOutcome {
  const { recipientIds, ...letter } = circular;
  const body = encodeBody(letter.body);
  return connection.immediate((): BroadcastOutcome => {
    if (!isRegistered(connection, letter.senderId)) return { kind: "sender-missing" };
    const here = connection.all<{ recipientId: string }>(
      `SELECT session_id AS recipientId FROM json_each(?) JOIN chat_sessions ON session_id = value ORDER BY key`,
      JSON.stringify([...new Set(recipientIds)]),
    );
    const messages = here.map(({ recipientId }) =>
      insert(connection, { ...letter, recipientId, replyTo: null }, body, true),
    );
    return { kind: "sent", messages };
  });
}

export function read(connection: Connection, recipientId: string, limits: PageLimits, at: number): InboxPage {
  // An empty inbox is the common case, and must not cost a write lock.
  if (unreadCount(connection, recipientId) === 0) return { messages: [], remaining: 0 };
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
    return { messages, remaining: unreadCount(connection, recipientId) };
  });
}

export function readAgain(connection: Connection, recipientId: string, limits: PageLimits): NamedMessage[] {
  const newest = connection.all<NamedMessageRow>(
    `SELECT ${NAMED_MESSAGE_COLUMNS} FROM chat_messages WHERE recipient_id = ? AND read_at IS NOT NULL ORDER BY id DESC LIMIT ?`,
    recipientId,
    atLeastOne(limits),
  );
  return pageOf(
    newest.map((row) => toMessage(row)),
    limits,
  ).reverse();
}

/** Counting is reading: the history of a mailbox only grows, so that it is not counted to its end. */
export function count(connection: Connection, recipientId: string): MailboxCount {
  const row = connection.get<{ unread: number; read: number }>(
    `SELECT (SELECT count(*) FROM chat_messages WHERE recipient_id = ?1 AND read_at IS NULL) AS unread,
            (SELECT count(*) FROM (SELECT 1 FROM chat_messages WHERE recipient_id = ?1 AND read_at IS NOT NULL LIMIT ?2)) AS read`,
    recipientId,
    COUNTED_READ_MESSAGES,
  );
  const { unread, read } = row ?? { unread: 0, read: 0 };
  return { unread, total: unread + read };
}

function unreadCount(connection: Connection, recipientId: string): number {
  const row = connection.get<{ unread: number }>(
    "SELECT count(*) AS unread FROM chat_messages WHERE recipient_id = ? AND read_at IS NULL",
    recipientId,
  );
  return row?.unread ?? 0;
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

/** Whether this message went from one end of the letter to the other, either way: nobody else has seen it. */
function isBetween(connection: Connection, { senderId, recipientId }: Letter, messageId: number): boolean {
  const sql = "SELECT 1 FROM chat_messages WHERE id = ?1 AND (sender_id, recipient_id) IN (VALUES (?2, ?3), (?3, ?2))";
  return connection.get(sql, messageId, senderId, recipientId) !== null;
}

/** How many rows to fetch: a page holds at least one message, and never more than its limit. */
function atLeastOne(limits: PageLimits): number {
  return Math.max(1, limits.messages);
}
