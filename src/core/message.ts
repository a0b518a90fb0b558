/** The largest body, in bytes of UTF-8. A larger one is refused, never cut. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** One row of somebody's inbox. Ids grow with the order of arrival; times do not have to. */
export interface Message {
  readonly id: number;
  readonly senderId: string;
  readonly recipientId: string;
  readonly body: string;
  readonly viaBroadcast: boolean;
  /** The message this one answers. */
  readonly replyTo: number | null;
  readonly sentAt: number;
  /** When the recipient's turn was told of it at a tool result. */
  readonly noticedAt: number | null;
  /** When a wake for it was seen to start a turn; renewed by every later wake. */
  readonly deliveredAt: number | null;
  readonly readAt: number | null;
}

/** A message with the names its ends have now; null for one that left the directory. */
export interface NamedMessage extends Message {
  readonly senderName: string | null;
  readonly recipientName: string | null;
}

/** Why a body cannot be sent, or null when it can. */
export type BodyFault =
  | { readonly code: "empty-body" }
  | { readonly code: "body-too-long"; readonly bytes: number; readonly limit: number }
  | { readonly code: "malformed-body"; readonly index: number };

/**
 * Checks a body before it is stored. A body is stored to the byte or not at all: a lone surrogate has no UTF-8 form and
 * would come back as another character, so it is refused with its index in UTF-16 units.
 */
export function bodyFault(body: string): BodyFault | null {
  if (body.trim() === "") return { code: "empty-body" };
  const loneSurrogate = indexOfLoneSurrogate(body);
  if (loneSurrogate >= 0) return { code: "malformed-body", index: loneSurrogate };
  const bytes = utf8Length(body);
  return bytes > BODY_LIMIT_BYTES ? { code: "body-too-long", bytes, limit: BODY_LIMIT_BYTES } : null;
}

/** Not by a pattern: Bun 1.3's miss a lone surrogate that stands before U+FC00 to U+FFFF. */
function indexOfLoneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  let index = 0;
  for (const character of text) {
    if (!character.isWellFormed()) break;
    index += character.length;
  }
  return index;
}

/** Bytes of UTF-8 of a well-formed string. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
