import type { Session } from "../core/session.ts";
import type { MailboxCount } from "../core/store.ts";
import type { Chat } from "./chat.ts";

/** Whether a session is registered, and how much is in its mailbox. */
export interface StatusReading {
  readonly session: Session | null;
  readonly mailbox: MailboxCount;
}

/** Looks without touching anything. */
export async function status(chat: Chat, sessionId: string): Promise<StatusReading> {
  const [session, mailbox] = await Promise.all([chat.store.find(sessionId), chat.store.count(sessionId)]);
  return { session: session?.sessionId === sessionId ? session : null, mailbox };
}
