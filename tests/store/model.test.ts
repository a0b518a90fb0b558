import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatStore } from "../../src/core/store.ts";
import { makeSqliteBench, type SqliteBench } from "./bench.ts";
import { DAY, HOUR, newSession, T0 } from "./fixtures.ts";

const TTL = 7 * DAY;
const IDS = ["s1", "s2", "s3", "s4"];

interface Letter {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  read: boolean;
}

/** What the store must hold, kept the simplest way. */
interface Model {
  now: number;
  swept: number | null;
  readonly seen: Map<string, number>;
  readonly names: Map<string, string>;
  readonly left: Map<string, number>;
  readonly counters: Map<string, number>;
  readonly letters: Letter[];
}

interface Real {
  readonly bench: SqliteBench;
  store: ChatStore;
}

type Step = (model: Model, real: Real) => Promise<void>;

/** A step of the run; its text is what a failing run is reported by. */
class Command implements fc.AsyncCommand<Model, Real> {
  constructor(
    private readonly title: string,
    private readonly step: Step,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.step(model, real);
    await agrees(model, real.store);
  }

  toString(): string {
    return this.title;
  }
}

const id = fc.constantFrom(...IDS);
const body = fc.string({ minLength: 1, maxLength: 40, unit: "binary" });

const commands = [
  fc
    .tuple(id, fc.constantFrom("ada", "brook"), fc.boolean())
    .map(([who, base, clear]) => new Command(`register ${who} ${base} ${clear}`, register(who, base, clear))),
  id.map((who) => new Command(`leave ${who}`, leave(who))),
  fc
    .tuple(id, id, body)
    .map(([from, to, text]) => new Command(`send ${from} ${to} ${JSON.stringify(text)}`, send(from, to, text))),
  fc
    .tuple(id, id, body)
    .map(([from, to, text]) => new Command(`send ${from} ${to} ${JSON.stringify(text)}`, send(from, to, text))),
  fc
    .tuple(id, fc.subarray(IDS), body)
    .map(([from, to, text]) => new Command(`broadcast ${from} ${to}`, broadcast(from, to, text))),
  fc
    .tuple(id, fc.integer({ min: 1, max: 4 }))
    .map(([who, limit]) => new Command(`read ${who} ${limit}`, read(who, limit))),
  fc.constant(new Command("prune", prune)),
  fc.integer({ min: -2 * HOUR, max: 4 * DAY }).map((ms) => new Command(`clock ${ms}`, clockMoves(ms))),
  fc.constant(new Command("crash", crash)),
];

function register(who: string, base: string, clear: boolean): Step {
  return async (model, { store }) => {
    const outcome = await store.register(newSession(who), {
      base,
      at: model.now,
      tombstone: clear ? "clear" : "respect",
    });
    const leftAt = model.left.get(who);
    if (leftAt !== undefined && !clear) {
      if (model.now - leftAt >= DAY) model.left.set(who, model.now);
      return expect(outcome.kind).toBe("left");
    }
    model.left.delete(who);
    model.seen.set(who, model.now);
    if (model.names.has(who)) return expect(outcome.kind).toBe("kept");
    const count = (model.counters.get(base) ?? 0) + 1;
    model.counters.set(base, count);
    model.names.set(who, count === 1 ? base : `${base}-${count}`);
    expect(outcome.kind).toBe("created");
  };
}

function leave(who: string): Step {
  return async (model, { store }) => {
    expect((await store.leave(who, model.now))?.name).toBe(model.names.get(who) as string);
    model.names.delete(who);
    model.seen.delete(who);
    model.left.set(who, model.now);
  };
}

function send(from: string, to: string, text: string): Step {
  return async (model, { store }) => {
    const outcome = await store.send({ senderId: from, recipientId: to, body: text, replyTo: null, at: model.now });
    if (!model.names.has(from)) return expect(outcome.kind).toBe("sender-missing");
    if (!model.names.has(to)) return expect(outcome.kind).toBe("recipient-missing");
    if (outcome.kind !== "sent") throw new Error(outcome.kind);
    arrive(model, { id: outcome.message.id, from, to, body: text, read: false });
  };
}

function broadcast(from: string, recipientIds: string[], text: string): Step {
  return async (model, { store }) => {
    const outcome = await store.broadcast({ senderId: from, recipientIds, body: text, at: model.now });
    if (!model.names.has(from)) return expect(outcome.kind).toBe("sender-missing");
    if (outcome.kind !== "sent") throw new Error(outcome.kind);
    expect(outcome.messages.map((m) => m.recipientId)).toEqual(recipientIds.filter((to) => model.names.has(to)));
    for (const message of outcome.messages) {
      arrive(model, { id: message.id, from, to: message.recipientId, body: text, read: false });
    }
  };
}

function arrive(model: Model, letter: Letter): void {
  expect(letter.id).toBeGreaterThan(model.letters.at(-1)?.id ?? 0);
  model.letters.push(letter);
}

function read(who: string, messages: number): Step {
  return async (model, { store }) => {
    const page = await store.read(who, { messages, bytes: 1_000_000 }, model.now);
    const unread = model.letters.filter((letter) => letter.to === who && !letter.read);
    const expected = unread.slice(0, messages);
    expect(page.messages.map((m) => [m.id, m.body])).toEqual(expected.map((letter) => [letter.id, letter.body]));
    expect(page.remaining).toBe(unread.length - expected.length);
    for (const letter of expected) letter.read = true;
  };
}

async function prune(model: Model, { store }: Real): Promise<void> {
  const previous = model.swept;
  model.swept = model.now;
  if (previous === null || model.now - previous > TTL / 2) {
    expect(await store.prune(model.now, TTL)).toEqual({ sessions: 0, tombstones: 0 });
    return;
  }
  const before = Math.min(model.now, ...(model.seen.size > 0 ? [Math.max(...model.seen.values())] : [])) - TTL;
  const sessions = [...model.seen].filter(([, at]) => at < before).map(([who]) => who);
  const tombstones = [...model.left].filter(([, at]) => at < before).map(([who]) => who);
  expect(await store.prune(model.now, TTL)).toEqual({ sessions: sessions.length, tombstones: tombstones.length });
  for (const who of sessions) {
    model.seen.delete(who);
    model.names.delete(who);
  }
  for (const who of tombstones) model.left.delete(who);
}

function clockMoves(ms: number): Step {
  return async (model) => {
    model.now += ms;
  };
}

/** The store is let go without being closed, as by a process that ended. */
async function crash(_: Model, real: Real): Promise<void> {
  real.store = real.bench.open();
}

async function agrees(model: Model, store: ChatStore): Promise<void> {
  const roster = await store.roster();
  expect(new Map(roster.map((row) => [row.sessionId, row.name]))).toEqual(model.names);
  for (const who of IDS) {
    const total = model.letters.filter((letter) => letter.to === who);
    expect(await store.count(who)).toEqual({
      total: total.length,
      unread: total.filter((letter) => !letter.read).length,
    });
  }
  expect((await store.feed(null)).map((m) => [m.id, m.senderId, m.recipientId, m.body, m.readAt !== null])).toEqual(
    model.letters.map((letter) => [letter.id, letter.from, letter.to, letter.body, letter.read]),
  );
}

test("whatever is done in whatever order, nothing is lost and nothing is read twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (run) => {
      const bench = await makeSqliteBench();
      const real: Real = { bench, store: bench.open() };
      const model: Model = {
        now: T0,
        swept: null,
        seen: new Map(),
        names: new Map(),
        left: new Map(),
        counters: new Map(),
        letters: [],
      };
      try {
        // Most runs would otherwise spend their commands on senders that are not there.
        for (const who of IDS.slice(0, 3)) await register(who, "ada", false)(model, real);
        await fc.asyncModelRun(() => ({ model, real }), run);
      } finally {
        real.store.close();
        await bench.dispose();
      }
    }),
    { numRuns: 120 },
  );
}, 60_000);
