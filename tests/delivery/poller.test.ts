import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ChatStore, WakeOutcome } from "../../src/core/store.ts";
import { createPoller, type Poller, type PollerOptions } from "../../src/delivery/poller.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { until } from "../../testbed/wait.ts";
import { LIMITS, MINUTE, newSession, testChat } from "../support/chat.ts";

let bed: ReturnType<typeof testChat>;
let pollers: Poller[];
beforeEach(async () => {
  bed = testChat();
  pollers = [];
  await join_("ses_sender");
  await join_("ses_one");
});
afterEach(() => {
  for (const poller of pollers) poller.stop();
  bed.remove();
});

async function join_(sessionId: string) {
  await bed.chat.store.register(newSession(sessionId), { base: "ada", at: bed.clock.now(), tombstone: "respect" });
}
async function mail(body = "hello", to = "ses_one") {
  const at = bed.clock.now();
  const sent = await bed.chat.store.send({ senderId: "ses_sender", recipientId: to, body, replyTo: null, at });
  if (sent.kind !== "sent") throw new Error(`the message was not stored: ${sent.kind}`);
  return sent.message.id;
}

/** A host whose sessions are idle unless a test says otherwise, and a poller for it without a doorbell of its own. */
function host(more: Partial<PollerOptions> = {}, sessionIds: string[] = ["ses_one"]) {
  const state = {
    busy: new Set<string>(),
    wakes: [] as string[],
    log: [] as string[],
    rings: { onCommit: () => {} },
    outcome: async (_id: string): Promise<WakeOutcome> => "started",
  };
  const poller = createPoller({
    store: bed.chat.store,
    clock: bed.clock,
    limits: LIMITS,
    pollMs: 30_000,
    ttlMs: 7 * 24 * 60 * MINUTE,
    log: (scope, message) => void state.log.push(`${scope}: ${message}`),
    hosting: {
      sessionIds: () => sessionIds,
      busyIds: () => sessionIds.filter((id) => state.busy.has(id)),
      canDeliver: (id) => !state.busy.has(id),
      async wake(id, { count, senders }) {
        state.wakes.push(`${id} ${count} ${senders.join()}`);
        return state.outcome(id);
      },
    },
    doorbell: ({ onCommit }) => {
      state.rings.onCommit = onCommit;
      return { stop() {} };
    },
    ...more,
  });
  pollers.push(poller);
  return Object.assign(state, { poller });
}
const settled = async ({ poller }: { poller: Poller }) => {
  await poller.pass();
  await poller.flush("ses_one");
};

describe("delivery", () => {
  test("wakes an idle session once for all its due mail, and again only after the re-nudge window", async () => {
    const one = host();
    await mail("a");
    await mail("b");
    await settled(one);
    await settled(one);
    expect(one.wakes).toEqual(["ses_one 2 ada"]);
    bed.clock.pass(LIMITS.renudgeMs);
    await settled(one);
    expect(one.wakes.length).toBe(2);
  });

  test("waits for a busy session's idle moment", async () => {
    const one = host();
    one.busy.add("ses_one");
    await mail();
    await settled(one);
    expect(one.wakes).toEqual([]);
    one.busy.clear();
    await one.poller.flush("ses_one");
    expect(one.wakes.length).toBe(1);
  });

  test("wakes no session that is not hosted any more, also when it was asked to before", async () => {
    const hosted = ["ses_one"];
    const one = host({}, hosted);
    await mail();
    hosted.length = 0;
    await one.poller.flush("ses_one");
    expect(one.wakes).toEqual([]);
    expect(await bed.chat.store.wakes("ses_one", bed.clock.now(), LIMITS)).toEqual([]);
  });

  test("takes up mail that comes while a wake is under way", async () => {
    const one = host();
    const first = Promise.withResolvers<WakeOutcome>();
    one.outcome = () => first.promise;
    await mail("a");
    const delivery = one.poller.flush("ses_one");
    await until("the first wake", () => one.wakes.length === 1);
    one.outcome = async () => "started";
    await mail("b");
    const again = one.poller.flush("ses_one");
    first.resolve("started");
    await Promise.all([delivery, again]);
    expect(one.wakes).toEqual(["ses_one 1 ada", "ses_one 2 ada"]);
  });

  for (const outcome of ["rejected", "unseen"] as const) {
    test(`leaves the mail due after a wake that was ${outcome}, and does not ring for itself without end`, async () => {
      const one = host();
      one.outcome = async () => outcome;
      await mail();
      await settled(one);
      const wakes = one.wakes.length;
      // What a doorbell does at every commit, the failed wake's own included.
      for (let ring = 0; ring < 10; ring++) await one.poller.pass();
      expect(one.wakes.length).toBe(wakes);
      expect(await bed.chat.store.due(["ses_one"], bed.clock.now(), LIMITS)).toEqual(["ses_one"]);
      one.outcome = async () => "started";
      await one.poller.flush("ses_one");
      expect(one.wakes.length).toBe(wakes + 1);
      expect(await bed.chat.store.due(["ses_one"], bed.clock.now(), LIMITS)).toEqual([]);
    });
  }

  test("gives no wake after a stop, until it is started again", async () => {
    const one = host();
    one.poller.start();
    one.poller.stop();
    await mail();
    await settled(one);
    expect(one.wakes).toEqual([]);
    one.poller.start();
    await settled(one);
    expect(one.wakes.length).toBe(1);
  });

  test("takes a wake that throws for one that may have started a turn: its mail stays due, and the budget charged", async () => {
    const one = host();
    one.outcome = () => Promise.reject(new Error("the host is gone"));
    await mail();
    await one.poller.flush("ses_one");
    expect(one.log.some((line) => line.includes("waking ses_one failed"))).toBe(true);
    expect(await bed.chat.store.wakes("ses_one", bed.clock.now(), LIMITS)).toEqual([bed.clock.now()]);
    expect(await bed.chat.store.due(["ses_one"], bed.clock.now(), LIMITS)).toEqual(["ses_one"]);
  });

  test("that stops while it takes a wake gives the wake back", async () => {
    const real = bed.chat.store;
    const store: ChatStore = {
      ...real,
      async takeWake(...args) {
        const take = await real.takeWake(...args);
        one.poller.stop();
        return take;
      },
    };
    const one = host({ store });
    one.poller.start();
    await mail();
    await one.poller.flush("ses_one");
    expect(one.wakes).toEqual([]);
    expect(await real.wakes("ses_one", bed.clock.now(), LIMITS)).toEqual([]);
  });

  test("stops at the cap, says so once, and goes on when the hour is over", async () => {
    const one = host();
    for (let n = 0; n < LIMITS.cap + 2; n++) {
      await mail(`n${n}`);
      await one.poller.flush("ses_one");
    }
    expect(one.wakes.length).toBe(LIMITS.cap);
    expect(one.log.filter((line) => line.includes("woken as often as allowed")).length).toBe(1);
    bed.clock.pass(LIMITS.windowMs);
    await one.poller.flush("ses_one");
    expect(one.wakes.length).toBe(LIMITS.cap + 1);
  });

  test("repeats exactly one wake for a deliverer that died with the lease", async () => {
    await mail();
    expect((await bed.chat.store.takeWake("ses_one", bed.clock.now(), LIMITS)).kind).toBe("wake");
    const one = host();
    await settled(one);
    expect(one.wakes).toEqual([]);
    bed.clock.pass(LIMITS.leaseMs);
    await settled(one);
    await settled(one);
    expect(one.wakes.length).toBe(1);
  });

  test("by two processes that host the same session wakes it once", async () => {
    const other = createSqliteStore({ file: join(bed.folder, "thatch.db") });
    const [one, two] = [host(), host({ store: other })];
    for (let n = 0; n < 5; n++) {
      await mail(`n${n}`);
      await Promise.all([one.poller.flush("ses_one"), two.poller.flush("ses_one")]);
      await Promise.all([settled(one), settled(two)]);
      expect(one.wakes.length + two.wakes.length).toBe(n + 1);
    }
    other.close();
  });

  test("wakes no session that another process runs a turn of", async () => {
    const one = host();
    await mail();
    await bed.chat.store.setBusy("ses_one", bed.clock.now() + LIMITS.busyMs);
    await settled(one);
    expect(one.wakes).toEqual([]);
    bed.clock.pass(LIMITS.busyMs);
    await settled(one);
    expect(one.wakes.length).toBe(1);
  });

  test("of 200 messages at random moments around idle covers each by one wake", async () => {
    const limits = { ...LIMITS, cap: 1_000 };
    const one = host({ limits });
    const covered: number[] = [];
    let turn: Promise<void> = Promise.resolve();
    one.outcome = async (id) => {
      // A turn of its own, in which the mail is read, and then the idle event.
      one.busy.add(id);
      turn = (async () => {
        await Bun.sleep(Math.random() * 2);
        const page = await bed.chat.store.read(id, { messages: 50, bytes: 1 << 20 }, bed.clock.now());
        covered.push(...page.messages.map((message) => message.id));
        one.busy.delete(id);
        await one.poller.flush(id);
      })();
      return "started";
    };
    for (let n = 0; n < 200; n++) {
      await mail(`n${n}`);
      one.rings.onCommit();
      void one.poller.pass();
      if (Math.random() < 0.5) await Bun.sleep(Math.random() * 3);
    }
    await until("every message to be read", () => covered.length === 200);
    await turn;
    expect(covered).toEqual([...covered].sort((a, b) => a - b));
    expect(new Set(covered).size).toBe(200);
    expect(one.wakes.length).toBeLessThanOrEqual(200);
  });
});

describe("a broken store", () => {
  test("is reported once, and delivery goes on when it works again", async () => {
    let broken = true;
    const real = bed.chat.store;
    const store: ChatStore = {
      ...real,
      due: (...args) => (broken ? Promise.reject(new Error("disk on fire")) : real.due(...args)),
    };
    const one = host({ store });
    await mail();
    for (let n = 0; n < 3; n++) await one.poller.pass();
    expect(one.log.filter((line) => line.includes("looking for mail failed")).length).toBe(1);
    broken = false;
    await one.poller.pass();
    await until("the wake", () => one.wakes.length === 1);
  });
});

describe("the heartbeat", () => {
  test("renews hosted sessions, marks their running turns, and costs an idle process nothing else", async () => {
    const one = host();
    bed.clock.pass(45_000);
    const probe = bed.chat.store.commitProbe();
    const before = probe.version();
    one.busy.add("ses_one");
    await one.poller.beat();
    expect(await bed.chat.store.find("ses_one")).toMatchObject({
      lastSeenAt: bed.clock.now(),
      busyUntil: bed.clock.now() + MINUTE,
    });
    const beaten = probe.version();
    expect(beaten).not.toBe(before);
    await one.poller.pass();
    expect(probe.version()).toBe(beaten);
    probe.close();
  });

  test("is not written without sessions", async () => {
    const none = host({}, []);
    const probe = bed.chat.store.commitProbe();
    const before = probe.version();
    await none.poller.beat();
    expect(probe.version()).toBe(before);
    probe.close();
  });
});
