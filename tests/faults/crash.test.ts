import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ChatStore } from "../../src/core/store.ts";
import { conversationId } from "../../src/platform/conversation-id.ts";
import { HOOK } from "../hook/stage.ts";
import { makeSqliteBench, type SqliteBench } from "../store/bench.ts";
import { startChild } from "../store/child/start.ts";
import { join, LIMITS, post, WIDE } from "../store/fixtures.ts";
import { fractions, SEED, times } from "./scale.ts";

const KILLS = times(80, 500);
/** Processes of each kind that run beside each other. */
const CREW = { send: 2, read: 1, deliver: 2, hook: 2 } as const;
const CONVERSATIONS = ["one", "two"];
const RECIPIENTS = ["brook", "cedar", ...CONVERSATIONS.map((name) => conversationId(name))];
const HOOK_EVENTS = ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "SessionEnd"];

let bench: SqliteBench;
beforeEach(async () => {
  bench = await makeSqliteBench();
});
afterEach(() => bench.dispose());

interface Sent {
  readonly id: number;
  readonly recipient: string;
  readonly body: string;
}

/** Everything that processes said before they were killed. */
class Ledger {
  readonly sent: Sent[] = [];
  /** Ids in the order in which readers had them. */
  readonly read: number[] = [];
  /** How often a wake was taken, and how often settled, by `recipient upToId`. */
  readonly took = new Map<string, number>();
  readonly settled = new Map<string, number>();

  note(kind: "send" | "read" | "deliver", lines: readonly string[]): void {
    for (const line of lines) {
      if (line === "ready") continue;
      if (kind === "read") this.read.push(...JSON.parse(line));
      else if (kind === "send") {
        const [id = "", recipient = "", body = ""] = line.split(" ");
        this.sent.push({ id: Number(id), recipient, body });
      } else {
        const [verb, ...wake] = line.split(" ");
        const counts = verb === "took" ? this.took : this.settled;
        counts.set(wake.join(" "), (counts.get(wake.join(" ")) ?? 0) + 1);
      }
    }
  }
}

async function seed(): Promise<ChatStore> {
  const store = bench.open({ patienceMs: 60_000 });
  for (const id of ["sender", ...RECIPIENTS]) await join(store, id, "ada", Date.now());
  return store;
}

test(`${KILLS} times kill -9 of senders, readers, deliverers and hooks: every send that returned is there, once, in order, and readable`, async () => {
  console.log(`seed ${SEED}`);
  const random = fractions(SEED);
  const store = await seed();
  const ledger = new Ledger();
  let started = 0;
  let killed = 0;
  let tag = 0;

  /** One process after another, each killed at a moment of its own: sometimes while it starts, sometimes in the middle of its work. */
  async function crew(kind: "send" | "read" | "deliver"): Promise<void> {
    while (started < KILLS) {
      started += 1;
      const args = kind === "send" ? [`t${tag++}`, ...RECIPIENTS] : RECIPIENTS;
      const child = startChild(`../../faults/child/${kind}.ts`, [bench.file, ...args]);
      // Three of four get as far as their work.
      const first = random() < 0.75 ? [await child.line()] : [];
      const rest = child.rest();
      await Bun.sleep(random() * 120);
      child.kill();
      await child.exited;
      killed += 1;
      ledger.note(kind, [...first, ...(await rest)]);
    }
  }
  async function hookCrew(): Promise<void> {
    while (started < KILLS) {
      started += 1;
      const event = HOOK_EVENTS[Math.floor(random() * HOOK_EVENTS.length)];
      const session = CONVERSATIONS[Math.floor(random() * CONVERSATIONS.length)];
      const input = JSON.stringify({ hook_event_name: event, session_id: session, cwd: bench.folder, reason: "other" });
      const child = Bun.spawn([process.execPath, HOOK, "claude-code"], {
        env: { PATH: "/usr/bin:/bin", HOME: bench.folder, THATCH_DB_PATH: bench.file },
        stdin: new TextEncoder().encode(input),
        stdout: "ignore",
        stderr: "ignore",
      });
      await Bun.sleep(random() * 60);
      child.kill("SIGKILL");
      await child.exited;
      killed += 1;
    }
  }
  const crews = Object.entries(CREW).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => (kind === "hook" ? hookCrew() : crew(kind as "send" | "read" | "deliver"))),
  );
  await Promise.all(crews);
  expect(killed).toBe(KILLS);
  expect(ledger.sent.length).toBeGreaterThan(KILLS);

  const feed = await store.feed(null);
  await everySendIsThere(feed, ledger);
  everyWakeWasOne(ledger);
  await everythingIsReadable(store, feed, ledger);
  await lifeGoesOn(store);
  store.close();
}, 400_000);

type Feed = Awaited<ReturnType<ChatStore["feed"]>>;

async function everySendIsThere(feed: Feed, ledger: Ledger): Promise<void> {
  const database = new Database(bench.file);
  expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
  const stored = new Map(feed.map(({ id, recipientId, body }) => [id, { id, recipient: recipientId, body }]));
  expect(ledger.sent.filter((sent) => !Bun.deepEquals(stored.get(sent.id), sent))).toEqual([]);
  expect(new Set(feed.map(({ body }) => body)).size).toBe(feed.length);
  // One sender's messages, told or not: in the order of its calls, without a gap, and not more than one beyond what it said.
  const counted = new Map<string, number>();
  const wrong = feed.filter(({ body }) => {
    const [tag = "", n] = body.split(":");
    const expected = counted.get(tag) ?? 0;
    counted.set(tag, expected + 1);
    return Number(n) !== expected || body !== `${tag}:${n}:${"x".repeat((expected % 5) * 900)}`;
  });
  expect(wrong).toEqual([]);
  const told = new Map<string, number>();
  for (const { body } of ledger.sent) told.set(body.split(":")[0] ?? "", (told.get(body.split(":")[0] ?? "") ?? 0) + 1);
  expect([...counted].filter(([tag, count]) => count - (told.get(tag) ?? 0) > 1)).toEqual([]);
}

/** Mail is woken for once; once more for each process that died over the wake. */
function everyWakeWasOne({ took, settled }: Ledger): void {
  expect(took.size).toBeGreaterThan(0);
  expect([...settled].filter(([, count]) => count > 1)).toEqual([]);
}

async function everythingIsReadable(store: ChatStore, feed: Feed, ledger: Ledger): Promise<void> {
  const read = [...ledger.read];
  for (const id of RECIPIENTS) {
    for (let page = await store.read(id, WIDE, Date.now()); page.messages.length > 0; ) {
      read.push(...page.messages.map((message) => message.id));
      page = await store.read(id, WIDE, Date.now());
    }
    const wanted = feed.filter(({ recipientId }) => recipientId === id).map((message) => message.id);
    const all = await store.readAgain(id, { messages: 1_000_000, bytes: 1 << 30 });
    expect(all.map((message) => message.id)).toEqual(wanted);
  }
  // What a reader was killed over is readable again; nothing was shown to two.
  expect(new Set(read).size).toBe(read.length);
}

async function lifeGoesOn(store: ChatStore): Promise<void> {
  const roster = await store.roster();
  expect(roster.map((row) => row.sessionId).sort()).toEqual(["sender", ...RECIPIENTS].sort());
  expect(new Set(roster.map((row) => row.name)).size).toBe(roster.length);
  // The leases and marks of the dead run out, and then mail wakes.
  const later = Date.now() + LIMITS.busyMs + LIMITS.leaseMs;
  for (const id of RECIPIENTS) {
    await post(store, "sender", id, "the last", Date.now());
    expect((await store.takeWake(id, later, { ...LIMITS, cap: 1_000_000 })).kind).toBe("wake");
  }
}
