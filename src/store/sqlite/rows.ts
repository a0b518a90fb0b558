import type { Message, NamedMessage } from "../../core/message.ts";

/** The columns of `chat_sessions` under the names of a `Session`: a row is one as it comes. */
export const SESSION_COLUMNS = `session_id AS sessionId, name, host, host_mode AS hostMode, topic, project, directory, worktree,
  registered_at AS registeredAt, last_seen_at AS lastSeenAt, busy_until AS busyUntil`;

/** The columns of `chat_messages` as a `MessageRow`; they also work in a RETURNING clause. */
export const MESSAGE_COLUMNS = `id, sender_id AS senderId, recipient_id AS recipientId, body, via_broadcast AS viaBroadcast,
  reply_to AS replyTo, sent_at AS sentAt, noticed_at AS noticedAt, delivered_at AS deliveredAt, read_at AS readAt`;

/** The name a message's sender has now. */
export const SENDER_NAME = "(SELECT name FROM chat_sessions WHERE session_id = sender_id) AS senderName";

/** `MESSAGE_COLUMNS` and the names, as a `NamedMessageRow`. */
export const NAMED_MESSAGE_COLUMNS = `${MESSAGE_COLUMNS}, ${SENDER_NAME},
  (SELECT name FROM chat_sessions WHERE session_id = recipient_id) AS recipientName`;

export type MessageRow = Omit<Message, "body" | "viaBroadcast"> & {
  readonly body: Uint8Array;
  readonly viaBroadcast: 0 | 1;
};
export type NamedMessageRow = MessageRow & Pick<NamedMessage, "senderName" | "recipientName">;

const encoder = new TextEncoder();
// `ignoreBOM` means that a leading byte order mark is kept as a part of the text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function encodeBody(body: string): Uint8Array {
  return encoder.encode(body);
}

/** A stored row as the type of the core; of a row with names it keeps the names. */
export function toMessage(row: NamedMessageRow): NamedMessage;
export function toMessage(row: MessageRow): Message;
export function toMessage(row: MessageRow): Message {
  return { ...row, body: decoder.decode(row.body), viaBroadcast: row.viaBroadcast === 1 };
}
