import { ChatError } from "../core/errors.ts";
import { bodyFault, type Message } from "../core/message.ts";
import { nearestNames } from "../core/names.ts";
import { type Outlook, outlookFor } from "../core/outlook.ts";
import { isStartOfId, matchRecipient } from "../core/recipient.ts";
import type { Session } from "../core/session.ts";
import type { Chat } from "./chat.ts";

/** What a sender may be told: the message is stored, and this is what was known of the recipient then. */
export interface SendReceipt {
  readonly message: Message;
  readonly sender: Session;
  readonly recipient: Session;
  readonly outlook: Outlook;
}

/**
 * Stores one message for the session that `to` names (a name, a session id, or the start of one). Rejects with a `ChatError` that
 * says why when nothing was stored.
 */
export async function send(
  chat: Chat,
  letter: { senderId: string; to: string; body: string; replyTo: number | null },
): Promise<SendReceipt> {
  const fault = bodyFault(letter.body);
  if (fault) throw new ChatError(fault);
  const sender = await registered(chat, letter.senderId);
  const recipient = await resolveRecipient(chat, letter.to);
  if (recipient.sessionId === sender.sessionId) throw new ChatError({ code: "self-recipient", name: sender.name });

  const at = chat.clock.now();
  // Before it is stored: a failure after that would be told as "nothing was sent", and the wake for this very message is not one that
  // was spent before it.
  const wakes = await chat.store.wakes(recipient.sessionId, at, chat.limits);
  const outcome = await chat.store.send({
    senderId: sender.sessionId,
    recipientId: recipient.sessionId,
    body: letter.body,
    replyTo: letter.replyTo,
    at,
  });
  switch (outcome.kind) {
    case "sent": {
      const outlook = outlookFor(recipient, wakes, at, chat.limits, chat.pollMs);
      return { message: outcome.message, sender, recipient, outlook };
    }
    case "sender-missing":
      throw new ChatError({ code: "not-registered" });
    case "recipient-missing":
      throw new ChatError({ code: "departed-recipient", recipient: letter.to });
    case "reply-missing":
      throw new ChatError({ code: "unknown-reply", replyTo: letter.replyTo ?? 0, recipient: recipient.name });
  }
}

/** The caller's own row. Rejects with `not-registered`. */
export async function registered(chat: Chat, sessionId: string): Promise<Session> {
  const session = await chat.store.find(sessionId);
  if (session?.sessionId !== sessionId) throw new ChatError({ code: "not-registered" });
  return session;
}

async function resolveRecipient(chat: Chat, to: string): Promise<Session> {
  const wanted = to.trim().replace(/^@/, "");
  const exact = await chat.store.find(wanted);
  if (exact) return exact;
  const match = matchRecipient(wanted, isStartOfId(wanted) ? await chat.store.startingWith(wanted) : []);
  if (match.kind === "match") return match.session;
  if (match.kind === "ambiguous") {
    throw new ChatError({ code: "ambiguous-recipient", recipient: to, matches: match.matches.map((row) => row.name) });
  }
  if (await chat.store.wasAssigned(wanted)) throw new ChatError({ code: "departed-recipient", recipient: wanted });
  // Only a miss pays for reading the whole directory.
  const names = (await chat.store.roster()).map((row) => row.name);
  throw new ChatError({ code: "unknown-recipient", recipient: to, nearest: nearestNames(wanted, names) });
}
