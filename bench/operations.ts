import { Database } from "bun:sqlite";
import { broadcast } from "../src/chat/broadcast.ts";
import type { Chat } from "../src/chat/chat.ts";
import { list } from "../src/chat/list.ts";
import { read } from "../src/chat/read.ts";
import { registerAutomatically } from "../src/chat/register.ts";
import { send } from "../src/chat/send.ts";
import { status } from "../src/chat/status.ts";
import { wakeLimits } from "../src/core/wake.ts";
import { createPoller } from "../src/delivery/poller.ts";
import { systemClock } from "../src/platform/clock.ts";
import { systemRandom } from "../src/platform/random.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { openBareInbox } from "./bare.ts";
import { type Population, sessionId } from "./seed.ts";

/** Session 0 acts; session 1 is who it writes to. */
const ME = sessionId(0);
const POLL_MS = 30_000;
const PAGE = 50;
const BODY = "x".repeat(200);

/** An open database, and all that operates on it. */
export function openBed(file: string, population: Population) {
  const store = createSqliteStore({ file });
  const limits = wakeLimits({ renudgeMs: 900_000, nudgesPerHour: 6, pollMs: POLL_MS });
  const chat: Chat = { store, clock: systemClock, random: systemRandom, pollMs: POLL_MS, limits };
  const hosting = {
    sessionIds: () => [ME],
    busyIds: () => [],
    canDeliver: () => true,
    wake: async () => "started" as const,
  };
  const poller = createPoller({ store, clock: systemClock, hosting, limits, pollMs: POLL_MS, ttlMs: 1e9, log: fail });
  const raw = new Database(file);
  raw.run("PRAGMA busy_timeout = 5000");
  const arrives = raw.prepare(
    "INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at) VALUES (?, ?, ?, 0, ?)",
  );
  const bare = openBareInbox(`${file}-bare`);
  return {
    population,
    chat,
    poller,
    bare,
    /** Puts mail into the own inbox. */
    arrive: raw.transaction((count: number) => {
      for (let n = 0; n < count; n++) arrives.run(sessionId(1), ME, new Uint8Array(200).fill(0x61), Date.now());
    }),
    /** Takes a session back out, as if it had never been. */
    forget: raw.prepare("DELETE FROM chat_sessions WHERE session_id = ?"),
    close() {
      store.close();
      raw.close();
      bare.close();
    },
  };
}

export type Bed = ReturnType<typeof openBed>;

function fail(where: string, what: string, error?: unknown): void {
  throw new Error(`${where}: ${what}`, { cause: error });
}

/** One thing that is timed, on every database of `needs` sessions or more (1,000 for what grows). */
export interface Operation {
  readonly what: string;
  /** Its answer holds every session, so that it is judged by the time for each of them. */
  readonly grows?: boolean;
  readonly needs?: number;
  readonly rounds?: number;
  readonly before?: (bed: Bed) => void;
  readonly run: (bed: Bed, round: number) => unknown;
  readonly after?: (bed: Bed, round: number) => void;
}

/** The floor under `send`. */
export const BARE_INSERT: Operation = {
  what: "bare insert transaction",
  run: ({ bare }) => bare.insert(ME, sessionId(1), BODY, Date.now()),
};

/** What has a goal against that floor. */
export const STORE_SEND: Operation = {
  what: "send, stored",
  run: ({ chat }) =>
    chat.store.send({ senderId: ME, recipientId: sessionId(1), body: BODY, replyTo: null, at: Date.now() }),
};

const newcomer = (round: number) => ({
  sessionId: `ses_new_${round}`,
  host: "opencode" as const,
  hostMode: "tui" as const,
  topic: "something new",
  project: "thatch",
  directory: "/src/thatch",
  worktree: "root" as const,
});

function broadcastTo(count: number): Operation {
  const recipientIds = Array.from({ length: count }, (_, n) => sessionId(n + 1));
  return {
    what: `broadcast to ${count.toLocaleString("en")}, stored`,
    needs: count + 1,
    rounds: count > 100 ? 30 : 100,
    run: ({ chat }) => chat.store.broadcast({ senderId: ME, recipientIds, body: BODY, at: Date.now() }),
  };
}

function sendTo(what: string, to: string): Operation {
  return { what, run: ({ chat }) => send(chat, { senderId: ME, to, body: BODY, replyTo: null }) };
}

export const OPERATIONS: readonly Operation[] = [
  {
    what: "register, a new session",
    run: ({ chat }, round) => registerAutomatically(chat, newcomer(round)),
    after: ({ forget }, round) => forget.run(newcomer(round).sessionId),
  },
  {
    what: "register, a known session",
    run: ({ chat }) => registerAutomatically(chat, { ...newcomer(0), sessionId: ME }),
  },
  STORE_SEND,
  sendTo("send, by name", "name-1"),
  sendTo("send, by the start of an id", sessionId(1).slice(0, 12)),
  { what: "read 50", before: ({ arrive }) => arrive(PAGE), run: ({ chat }) => read(chat, ME, null) },
  { what: "read, no mail", run: ({ chat }) => read(chat, ME, null) },
  { what: "read 50 again", run: ({ chat }) => read(chat, ME, PAGE) },
  { what: "status", run: ({ chat }) => status(chat, ME) },
  { what: "poll pass with nothing to do", run: ({ poller }) => poller.pass() },
  { what: "heartbeat", run: ({ poller }) => poller.beat() },
  broadcastTo(100),
  broadcastTo(1_000),
  {
    what: "broadcast to the hundred that are here",
    grows: true,
    rounds: 50,
    run: ({ chat }) => broadcast(chat, { senderId: ME, body: BODY }),
  },
  { what: "list", grows: true, rounds: 50, run: ({ chat }) => list(chat) },
];
