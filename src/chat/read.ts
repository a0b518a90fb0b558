import { READ_LIMITS } from "../core/inbox.ts";
import type { Session } from "../core/session.ts";
import type { InboxPage } from "../core/store.ts";
import type { Chat } from "./chat.ts";
import { registered } from "./send.ts";

/** What a session gets to read: a page of its inbox. */
export interface InboxReading {
  readonly reader: Session;
  readonly page: InboxPage;
  readonly now: number;
}

/**
 * Takes a page of unread mail, oldest first, and stamps exactly what it returns; or, for `again`, shows up to that many read
 * messages once more and stamps nothing. Rejects with `not-registered`.
 */
export async function read(chat: Chat, sessionId: string, again: number | null): Promise<InboxReading> {
  const reader = await registered(chat, sessionId);
  const now = chat.clock.now();
  if (again === null) return { reader, page: await chat.store.read(sessionId, READ_LIMITS, now), now };
  const limits = { ...READ_LIMITS, messages: Math.min(again, READ_LIMITS.messages) };
  const messages = await chat.store.readAgain(sessionId, limits);
  const { unread, total } = await chat.store.count(sessionId);
  return { reader, page: { messages, remaining: Math.max(0, Math.min(again, total - unread) - messages.length) }, now };
}
