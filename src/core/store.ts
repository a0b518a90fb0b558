import type { Message, NamedMessage } from "./message.ts";
import type { ProcessIdentity } from "./process.ts";
import type { HostMode, NewSession, RosterRow, Session } from "./session.ts";
import type { TailState } from "./tail.ts";
import type { WakeLimits } from "./wake.ts";

/** What a registration came to. `left`: the session's tombstone stands, and nothing was written. */
export type Registration = { readonly kind: "created" | "kept"; readonly session: Session } | { readonly kind: "left" };

/** What sending came to; every kind but `sent` wrote nothing. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly message: Message }
  | { readonly kind: "sender-missing" | "recipient-missing" | "reply-missing" };

/** What broadcasting came to; `messages` holds one message a recipient, in the order of their ids. */
export type BroadcastOutcome =
  | { readonly kind: "sent"; readonly messages: readonly Message[] }
  | { readonly kind: "sender-missing" };

/**
 * A page of an inbox, oldest first, and how much of what was asked for is not in it: newer unread mail, or, where read mail is shown
 * again, older mail that did not fit.
 */
export interface InboxPage {
  readonly messages: readonly NamedMessage[];
  readonly remaining: number;
}

/** How much one page may hold. At least one message is returned whatever its size. */
export interface PageLimits {
  readonly messages: number;
  /** Bytes of UTF-8, summed over the bodies. */
  readonly bytes: number;
}

/** What is new to a follower of all mailboxes. */
export interface FeedChanges {
  /** The oldest newer messages, as many as were asked for, and those it knew unread that were read since; in the order of their ids. */
  readonly messages: readonly NamedMessage[];
  /** The newest message there is, 0 for none. Lower than the follower's own, it tells that the database is another one now. */
  readonly newestId: number;
}

/** Read mail is counted up to here: what is counted has to be read, and nobody needs to know more exactly. */
export const COUNTED_READ_MESSAGES = 1_000;

/** How much is in a mailbox. */
export interface MailboxCount {
  readonly unread: number;
  /** The unread and the read ones, of these `COUNTED_READ_MESSAGES` at most. */
  readonly total: number;
}

/**
 * Whether the caller may wake a session now. Only `wake` changed anything: the lease is the caller's until it settles or
 * the lease runs out, and one wake was taken from the recipient's budget.
 */
export type WakeTake =
  | {
      readonly kind: "wake";
      /** Identifies the lease; hand it back to `settleWake`. */
      readonly lease: number;
      /** The newest unread message; the wake covers it and all before it. */
      readonly upToId: number;
      readonly count: number;
      /** Distinct sender names, in order of their first covered message; null for one that left. */
      readonly senders: readonly (string | null)[];
    }
  /** No due mail, or the session is not registered. */
  | { readonly kind: "nothing" }
  /** Another process is waking it right now. */
  | { readonly kind: "leased" }
  /** Some process runs a turn of it. */
  | { readonly kind: "busy" }
  /** The budget is spent; `freeAt` is when the next wake is allowed. */
  | { readonly kind: "capped"; readonly freeAt: number };

/**
 * How a wake ended. `started`: a turn was seen to start, so the mail is stamped delivered. `unseen`: the prompt was taken
 * but no turn was seen; the mail stays due and the budget stays charged. `rejected`: the host refused the prompt; the mail
 * stays due and the charge is given back.
 */
export type WakeOutcome = "started" | "unseen" | "rejected";

/** Mail that somebody is to be told of. */
export interface Notice {
  readonly count: number;
  readonly senders: readonly (string | null)[];
}

/** How many rows a sweep removed. */
export interface PruneCount {
  readonly sessions: number;
  readonly tombstones: number;
}

/** Tells whether anything was committed since it was last asked, by any connection of any process. */
export interface CommitProbe {
  /** The database file; its folder is where a commit shows up as a file event. */
  readonly file: string;
  /** Changes whenever another connection has committed. Throws when the database cannot be read. */
  version(): number;
  close(): void;
}

/**
 * The shared directory and inbox. Every operation is atomic, safe against any number of other processes, and rejects with
 * a `ChatError` (`store-busy`, `store-unavailable`, `store-too-new`) when the store cannot serve it; nothing is then written.
 */
export interface ChatStore {
  /**
   * Adds the session under a fresh name drawn from `base`, or keeps the row it has: name, registration time and checkout kind
   * stay; host, mode, project, directory and heartbeat are renewed, and the topic too unless the given one is null.
   * A tombstone stops it, or is cleared first when `tombstone` is `clear`. One that stops it is renewed once a day: it ages only
   * while nobody asks.
   */
  register(
    session: NewSession,
    how: { base: string; at: number; tombstone: "respect" | "clear" },
  ): Promise<Registration>;
  /** Removes the row and leaves a tombstone, also where there was no row. Returns the removed row. Messages stay. */
  leave(sessionId: string, at: number): Promise<Session | null>;
  /** The session with exactly this id, else the one with this name, case ignored. */
  find(idOrName: string): Promise<Session | null>;
  /** The sessions whose ids begin with `start`, in the order of their ids. */
  startingWith(start: string): Promise<Session[]>;
  /** Whether this name, case ignored, was ever assigned on this machine. */
  wasAssigned(name: string): Promise<boolean>;
  roster(): Promise<RosterRow[]>;
  /** Renews the heartbeats of `sessionIds`, and extends `busyUntil` for those in `busyIds`. Unregistered ids are passed over. */
  beat(beat: {
    sessionIds: readonly string[];
    busyIds: readonly string[];
    at: number;
    busyUntil: number;
  }): Promise<void>;
  /**
   * Notes a sign of life of a session that nothing beats for between its turns, and returns what a host tells it; null when it is not
   * registered. The mark of a running turn and the host mode stay as they are where they are left out; a closed session is open again.
   */
  signOfLife(
    sessionId: string,
    sign: { readonly at: number; readonly busyUntil?: number | null; readonly hostMode?: HostMode | null },
  ): Promise<{ readonly name: string; readonly unread: number } | null>;
  /** Says that a turn runs until then at least, or (null) that it ended. */
  setBusy(sessionId: string, busyUntil: number | null): Promise<void>;
  setTopic(sessionId: string, topic: string): Promise<void>;

  /** Remembers that this very process (a pid is used again, with another start time) runs this session now. */
  anchor(process: ProcessIdentity, sessionId: string, at: number): Promise<void>;
  /** The session that this process was last said to run; null when none was. */
  anchored(process: ProcessIdentity): Promise<string | null>;
  /**
   * Gives all that a session has to the one that continues its conversation: name, mail sent and received, anchors, wake budget and
   * tombstone. False, and nothing is changed, when the first has none of it or the second is in the directory already or left it.
   */
  continueSession(fromId: string, toId: string): Promise<boolean>;

  /** `replyTo` has to be a message between the two. */
  send(message: {
    senderId: string;
    recipientId: string;
    body: string;
    replyTo: number | null;
    at: number;
  }): Promise<SendOutcome>;
  /** One message for each of `recipientIds` that is still registered, all in one transaction. */
  broadcast(message: {
    senderId: string;
    recipientIds: readonly string[];
    body: string;
    at: number;
  }): Promise<BroadcastOutcome>;
  /** Takes the oldest unread messages and stamps exactly those read. */
  read(recipientId: string, limits: PageLimits, at: number): Promise<InboxPage>;
  /** The newest `limits.messages` read messages, oldest first; where the bytes run out, the older ones are left out. Stamps nothing. */
  readAgain(recipientId: string, limits: PageLimits): Promise<NamedMessage[]>;
  count(recipientId: string): Promise<MailboxCount>;
  /** The unread mail, by whom it is from; null when there is none. */
  unread(recipientId: string): Promise<Notice | null>;
  /** The newest `limit` messages of all mailboxes (all of them for null), of those with an id below `before` where it is given; in the order of their ids. */
  feed(limit: number | null, before?: number): Promise<NamedMessage[]>;
  /** The state of a follower that knows every message and reading so far. */
  feedState(): Promise<TailState>;
  /** What a follower with this state has not seen. */
  feedChanges(state: TailState, limit: number): Promise<FeedChanges>;

  /** Those of `sessionIds` that are registered and have due mail (`core/wake.ts` says what is due). */
  due(sessionIds: readonly string[], at: number, limits: WakeLimits): Promise<string[]>;
  takeWake(sessionId: string, at: number, limits: WakeLimits): Promise<WakeTake>;
  settleWake(
    sessionId: string,
    take: { lease: number; upToId: number },
    outcome: WakeOutcome,
    at: number,
    limits: WakeLimits,
  ): Promise<void>;
  /** When this recipient was woken, oldest first, as far back as the budget's window reaches. */
  wakes(sessionId: string, at: number, limits: WakeLimits): Promise<number[]>;
  /**
   * Unread mail that was not noticed yet, and not delivered within the last minute; stamps it noticed. Null when there is none (and nothing is then written).
   * A turn waits for it, so it does not wait for others: while the store is locked it rejects with `store-busy` within moments.
   */
  notice(sessionId: string, at: number): Promise<Notice | null>;

  /**
   * Removes sessions and tombstones older than `ttlMs`, and wakes no window reaches. Age is measured against the earlier of
   * `at` and the newest heartbeat in the store. The first sweep removes nothing, nor does one that comes more than half of `ttlMs` after
   * the sweep before it, or before it: the clock was set, or the machine was off, and whoever lives has until the next sweep to show it.
   */
  prune(at: number, ttlMs: number): Promise<PruneCount>;
  commitProbe(): CommitProbe;
  /** Lets go of the database; the next operation opens it again. */
  close(): void;
}
