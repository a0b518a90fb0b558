import { ChatError } from "../core/errors.ts";
import { isStale } from "../core/liveness.ts";
import { bodyFault, type Message } from "../core/message.ts";
import { type Outlook, outlookFor } from "../core/outlook.ts";
import type { Session } from "../core/session.ts";
import type { Chat } from "./chat.ts";
import { registered } from "./send.ts";

/** One recipient of a broadcast, its copy, and what was known of the recipient when it was stored. */
export interface BroadcastCopy {
  readonly message: Message;
  readonly recipient: Session;
  readonly outlook: Outlook;
}

/** What a broadcast came to. */
export interface BroadcastReceipt {
  readonly sender: Session;
  readonly copies: readonly BroadcastCopy[];
  /** Sessions no process hosts now; nothing was stored for them. */
  readonly skipped: readonly Session[];
}

/** Stores one message for every other session that is hosted now. Rejects with a `ChatError` when nothing was stored. */
export async function broadcast(chat: Chat, letter: { senderId: string; body: string }): Promise<BroadcastReceipt> {
  const fault = bodyFault(letter.body);
  if (fault) throw new ChatError(fault);
  const sender = await registered(chat, letter.senderId);
  const at = chat.clock.now();
  const others = (await chat.store.roster()).filter((row) => row.sessionId !== sender.sessionId);
  const fresh = new Map(others.filter((row) => !isStale(row, at, chat.pollMs)).map((row) => [row.sessionId, row]));
  const skipped = others.filter((row) => !fresh.has(row.sessionId));

  // Before it is stored, as with a single message.
  const wakes = new Map<string, readonly number[]>();
  for (const id of fresh.keys()) wakes.set(id, await chat.store.wakes(id, at, chat.limits));
  const outcome = await chat.store.broadcast({
    senderId: sender.sessionId,
    recipientIds: [...fresh.keys()],
    body: letter.body,
    at,
  });
  if (outcome.kind === "sender-missing") throw new ChatError({ code: "not-registered" });
  const copies: BroadcastCopy[] = [];
  for (const message of outcome.messages) {
    const recipient = fresh.get(message.recipientId);
    if (!recipient) throw new Error(`the store broadcast to ${message.recipientId}, which was not asked for`);
    const spent = wakes.get(recipient.sessionId) ?? [];
    copies.push({ message, recipient, outlook: outlookFor(recipient, spent, at, chat.limits, chat.pollMs) });
  }
  return { sender, copies, skipped };
}
