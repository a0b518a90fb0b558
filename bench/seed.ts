import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore } from "../src/store/sqlite/store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a database holds. */
export interface Population {
  readonly sessions: number;
  readonly messages: number;
  /** Bytes of each body: 200 unless given, some three lines of text. */
  readonly bodyBytes?: number;
  /** The last heartbeat of session n, in ms since the epoch: now for the first hundred, up to 6 days ago for the others unless given. */
  readonly seenAt?: (session: number) => number;
}

/** The id of session n. As with the hosts' own, neighbours do not begin alike; the first 12 characters are enough to tell. */
export function sessionId(n: number): string {
  const scattered = Math.imul(n, 2_654_435_761) >>> 0;
  return `ses_${scattered.toString(16).padStart(8, "0")}${String(n).padStart(14, "0")}`;
}

/** "10,000 sessions and 1,000,000 messages". */
export function saying({ sessions, messages }: Population): string {
  return `${sessions.toLocaleString("en")} sessions and ${messages.toLocaleString("en")} messages`;
}

/** Runs `work` with a folder of its own, and removes it afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of so many messages one is to session 0, and read; the others are spread evenly. */
const OWN_EVERY = 50;
/** Of so many messages one is unread. */
const UNREAD_EVERY = 9_973;

/**
 * Makes a database of thatch's own schema with so many sessions and messages. It is written in one transaction without waiting for the
 * disk, and its log is empty when this returns.
 */
export async function seed(file: string, population: Population): Promise<void> {
  const { sessions, messages, bodyBytes = 200 } = population;
  const now = Date.now();
  const seenAt = population.seenAt ?? ((n: number) => (n < 100 ? now : now - (n % 6) * DAY_MS - DAY_MS / 2));
  const store = createSqliteStore({ file });
  await store.roster();
  store.close();
  const database = new Database(file);
  for (const pragma of ["synchronous = OFF", "cache_size = -1000000"]) database.run(`PRAGMA ${pragma}`);
  const session = database.prepare(
    `INSERT INTO chat_sessions (session_id, name, host, host_mode, topic, project, directory, registered_at, last_seen_at)
     VALUES (?1, ?2, 'opencode', 'tui', ?3, ?4, ?5, ?6, ?6)`,
  );
  const message = database.prepare(
    `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at, delivered_at, read_at)
     VALUES (?, ?, ?, 0, ?, ?, ?)`,
  );
  const ids = Array.from({ length: sessions }, (_, n) => sessionId(n));
  const body = new Uint8Array(bodyBytes).fill(0x61);
  database.transaction(() => {
    for (const [n, id] of ids.entries())
      session.run(id, `name-${n}`, `what session ${n} does`, `project ${n % 7}`, `/src/${n}`, seenAt(n));
    for (let n = 0; n < messages; n++) {
      const at = now - messages + n;
      const recipient = n % OWN_EVERY === 0 ? 0 : 1 + (n % (sessions - 1));
      const read = recipient > 0 && n % UNREAD_EVERY === 1 ? null : at;
      message.run(ids[(n * 7) % sessions] ?? "", ids[recipient] ?? "", body, at, read, read);
    }
  })();
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
