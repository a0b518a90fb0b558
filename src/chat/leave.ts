import type { Session } from "../core/session.ts";
import type { Chat } from "./chat.ts";

/**
 * Takes a session out of the directory and keeps it out until it asks to join again. Its messages stay. Returns the row it had,
 * or null when it had none; the leave holds either way.
 */
export function leave(chat: Chat, sessionId: string): Promise<Session | null> {
  return chat.store.leave(sessionId, chat.clock.now());
}
