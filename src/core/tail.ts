import type { NamedMessage } from "./message.ts";

/** One line of the log: a message was stored, or was read. Keys stand in this order. */
export type TailEvent =
  | {
      readonly event: "sent";
      readonly id: number;
      readonly at: string;
      readonly from: string | null;
      readonly to: string | null;
      readonly fromId: string;
      readonly toId: string;
      readonly broadcast?: true;
      readonly replyTo?: number;
      readonly body: string;
    }
  | {
      readonly event: "read";
      readonly id: number;
      readonly at: string;
      readonly from: string | null;
      readonly to: string | null;
      readonly fromId: string;
      readonly toId: string;
    };

/** What a follower has told already. */
export interface TailState {
  /** The newest message it was shown. Ids only grow, so anything older is no news. */
  readonly newestId: number;
  /** Messages it was shown unread. */
  readonly unread: ReadonlySet<number>;
}

/** The state of a follower to whom everything is new. */
export const NOTHING_TOLD: TailState = { newestId: 0, unread: new Set() };

/** What is new in the feed: messages by id, then readings by time. Names that changed and messages that are gone are no news. */
export function tailDiff(state: TailState, feed: readonly NamedMessage[]): { events: TailEvent[]; state: TailState } {
  const sent = feed.filter((message) => message.id > state.newestId).sort((a, b) => a.id - b.id);
  const read = feed
    .filter((message) => message.readAt !== null && (message.id > state.newestId || state.unread.has(message.id)))
    .sort((a, b) => (a.readAt ?? 0) - (b.readAt ?? 0) || a.id - b.id);
  const unread = new Set(state.unread);
  for (const message of sent) unread.add(message.id);
  for (const message of read) unread.delete(message.id);
  return {
    events: [...sent.map(sentEvent), ...read.flatMap(readEvent)],
    state: { newestId: sent.at(-1)?.id ?? state.newestId, unread },
  };
}

function sentEvent(message: NamedMessage): TailEvent {
  return {
    event: "sent",
    id: message.id,
    at: new Date(message.sentAt).toISOString(),
    ...ends(message),
    ...(message.viaBroadcast ? { broadcast: true as const } : {}),
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
    body: message.body,
  };
}

function readEvent(message: NamedMessage): TailEvent[] {
  if (message.readAt === null) return [];
  return [{ event: "read", id: message.id, at: new Date(message.readAt).toISOString(), ...ends(message) }];
}

function ends(message: NamedMessage) {
  return { from: message.senderName, to: message.recipientName, fromId: message.senderId, toId: message.recipientId };
}
