import type { Message } from "../../src/core/message.ts";
import type { NewSession, Session } from "../../src/core/session.ts";
import type { ChatStore, PruneCount, Registration, SendOutcome } from "../../src/core/store.ts";
import type { WakeLimits } from "../../src/core/wake.ts";

/** One database of its own for a test. Every `open` is another connection to it, as another process would have. */
export interface Bench {
  open(): ChatStore;
  dispose(): Promise<void>;
}

export type MakeBench = () => Promise<Bench>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Some moment; nothing depends on which. */
export const T0 = 1_800_000_000_000;

export const LIMITS: WakeLimits = {
  renudgeMs: 15 * MINUTE,
  cap: 3,
  windowMs: HOUR,
  leaseMs: 30_000,
  busyMs: 10 * MINUTE,
};
export const WIDE = { messages: 1000, bytes: 1_000_000 };

export function newSession(sessionId: string, more: Partial<NewSession> = {}): NewSession {
  return {
    sessionId,
    host: "opencode",
    hostMode: "tui",
    topic: null,
    project: "thatch",
    directory: "/src/thatch",
    worktree: "root",
    ...more,
  };
}

export function join(store: ChatStore, sessionId: string, base = "ada", at = T0): Promise<Registration> {
  return store.register(newSession(sessionId), { base, at, tombstone: "respect" });
}

export function registered(outcome: Registration): Session {
  if (outcome.kind === "left") throw new Error("the registration was stopped by a tombstone");
  return outcome.session;
}

export async function post(
  store: ChatStore,
  senderId: string,
  recipientId: string,
  body = "hello",
  at = T0,
): Promise<Message> {
  return sent(await store.send({ senderId, recipientId, body, replyTo: null, at }));
}

export function sent(outcome: SendOutcome): Message {
  if (outcome.kind !== "sent") throw new Error(`nothing was sent: ${outcome.kind}`);
  return outcome.message;
}

/** A sweep that follows another closely enough, as in a process that runs on. */
export async function sweep(store: ChatStore, at: number, ttlMs: number): Promise<PruneCount> {
  await store.prune(at - Math.floor(ttlMs / 4), ttlMs);
  return store.prune(at, ttlMs);
}
