import { drawBase } from "../core/names.ts";
import type { NewSession, Session } from "../core/session.ts";
import type { Registration } from "../core/store.ts";
import type { Chat } from "./chat.ts";

/**
 * Registers a session on its host's behalf: adds it, or keeps the row and name it has. A session that left stays out
 * (`left`).
 */
export function registerAutomatically(chat: Chat, session: NewSession): Promise<Registration> {
  return chat.store.register(session, { base: drawName(chat), at: chat.clock.now(), tombstone: "respect" });
}

/** Registers a session because it asked to be: one that left joins again, under a new name. */
export async function registerExplicitly(
  chat: Chat,
  session: NewSession,
): Promise<{ session: Session; created: boolean }> {
  const outcome = await chat.store.register(session, {
    base: drawName(chat),
    at: chat.clock.now(),
    tombstone: "clear",
  });
  if (outcome.kind === "left")
    throw new Error(`the store kept the tombstone of ${session.sessionId} that it was told to clear`);
  return { session: outcome.session, created: outcome.kind === "created" };
}

function drawName(chat: Chat): string {
  return drawBase(() => chat.random.fraction());
}
