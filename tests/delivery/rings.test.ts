import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ChatStore, WakeOutcome } from "../../src/core/store.ts";
import { Deliverer } from "../../src/delivery/deliverer.ts";
import { startDoorbell } from "../../src/delivery/doorbell.ts";
import type { Hosting } from "../../src/delivery/hosting.ts";
import { createPoller, type Poller, type PollerOptions } from "../../src/delivery/poller.ts";
import { until } from "../../testbed/wait.ts";
import { LIMITS, newSession, testChat } from "../support/chat.ts";

let bed: ReturnType<typeof testChat>;
let pollers: Poller[];
beforeEach(async () => {
  bed = testChat();
  pollers = [];
  for (const id of ["ses_sender", "ses_one"]) {
    await bed.chat.store.register(newSession(id), { base: "ada", at: bed.clock.now(), tombstone: "respect" });
  }
});
afterEach(() => {
  for (const poller of pollers) poller.stop();
  bed.remove();
});

const hosting = (more: Partial<Hosting> = {}): Hosting => ({
  sessionIds: () => ["ses_one"],
  busyIds: () => [],
  canDeliver: () => true,
  wake: async () => "started",
  ...more,
});

/** A poller that no doorbell rings unless a test gives one. */
function poller(more: Partial<PollerOptions> = {}) {
  const log: string[] = [];
  const it = createPoller({
    store: bed.chat.store,
    clock: bed.clock,
    hosting: hosting(),
    limits: LIMITS,
    pollMs: 1 << 30,
    ttlMs: 1 << 30,
    log: (scope, message) => void log.push(`${scope}: ${message}`),
    doorbell: () => ({ stop() {} }),
    ...more,
  });
  pollers.push(it);
  return { it, log };
}

async function mail(): Promise<void> {
  const message = { senderId: "ses_sender", recipientId: "ses_one", body: "hello", replyTo: null, at: bed.clock.now() };
  if ((await bed.chat.store.send(message)).kind !== "sent") throw new Error("the message was not stored");
}

describe("a ring", () => {
  for (const way of ["deliver", "pass"] as const) {
    test(`by ${way} is heard at whatever step of a delivery it comes`, async () => {
      const lost: number[] = [];
      for (let step = 0; step < 80; step++) {
        let pending = true;
        const store = {
          due: async () => (pending ? ["ses_one"] : []),
          takeWake: async () => {
            if (!pending) return { kind: "nothing" };
            pending = false;
            return { kind: "wake", lease: 1, upToId: 1, count: 1, senders: [] };
          },
          settleWake: async () => {},
        } as unknown as ChatStore;
        const deliverer = new Deliverer(store, bed.clock, hosting(), LIMITS, () => {});
        const first = deliverer[way]("ses_one");
        for (let n = 0; n < step; n++) await null;
        pending = true;
        await deliverer[way]("ses_one");
        await first;
        // A pass does not wait for its deliveries; all they do here is over before the next task.
        await new Promise((resolve) => setImmediate(resolve));
        if (pending) lost.push(step);
      }
      expect(lost).toEqual([]);
    });
  }

  test("comes for each of 200 messages of another process, and no message is woken for twice", async () => {
    const sends = 200;
    const real = bed.chat.store;
    const wakesFor = new Map<number, number>();
    const store: ChatStore = {
      ...real,
      async takeWake(...args) {
        const take = await real.takeWake(...args);
        if (take.kind !== "wake") return take;
        const covered = (await real.feed(null)).filter(
          ({ id, readAt, deliveredAt }) => id <= take.upToId && readAt === null && deliveredAt === null,
        );
        for (const { id } of covered) wakesFor.set(id, (wakesFor.get(id) ?? 0) + 1);
        return take;
      },
    };
    const turns: number[] = [];
    const read: number[] = [];
    let busy = false;
    async function turn(): Promise<void> {
      await Bun.sleep(Math.random() * 3);
      const page = await real.read("ses_one", { messages: 1_000, bytes: 1 << 20 }, bed.clock.now());
      turns.push(page.messages.length);
      read.push(...page.messages.map(({ id }) => id));
      await Bun.sleep(Math.random() * 3);
      busy = false;
      await it.flush("ses_one");
    }
    const { it } = poller({
      store,
      limits: { ...LIMITS, cap: 1_000 },
      hosting: hosting({
        canDeliver: () => !busy,
        async wake(): Promise<WakeOutcome> {
          busy = true;
          void turn();
          return "started";
        },
      }),
      // The real one: its rings are what is tested.
      doorbell: startDoorbell,
    });
    it.start();
    const program = join(import.meta.dir, "child-send-slowly.ts");
    const child = Bun.spawn([process.execPath, program, join(bed.folder, "thatch.db"), "ses_one", String(sends)]);
    expect(await child.exited).toBe(0);
    await until("every message to be read", () => read.length >= sends && !busy);
    expect(new Set(read).size).toBe(sends);
    expect(read.length).toBe(sends);
    expect([...wakesFor.values()].filter((count) => count > 1)).toEqual([]);
    // A turn without mail would be a wake for nothing.
    expect(turns.filter((count) => count === 0)).toEqual([]);
  });

  test("is not needed for mail that another process's lease held back", async () => {
    await mail();
    const limits = { ...LIMITS, leaseMs: 20 };
    expect((await bed.chat.store.takeWake("ses_one", bed.clock.now(), limits)).kind).toBe("wake");
    let wakes = 0;
    const { it } = poller({
      limits,
      hosting: hosting({
        async wake() {
          wakes++;
          return "started";
        },
      }),
    });
    await it.flush("ses_one");
    expect(wakes).toBe(0);
    bed.clock.pass(limits.leaseMs);
    await until("the wake after the lease", () => wakes === 1);
  });
});

describe("a round", () => {
  test("sweeps, beats and looks for mail, in this order; the first beat is at the start", async () => {
    const real = bed.chat.store;
    const calls: string[] = [];
    const noted = <A extends unknown[], R>(name: string, call: (...args: A) => R) => {
      return (...args: A): R => {
        calls.push(name);
        return call(...args);
      };
    };
    const store: ChatStore = {
      ...real,
      beat: noted("beat", real.beat),
      due: noted("due", real.due),
      prune: noted("prune", real.prune),
    };
    const { it } = poller({ store, pollMs: 2 });
    it.start();
    expect(calls).toEqual(["beat"]);
    await until("two rounds", () => calls.length >= 6);
    expect(calls.slice(0, 6)).toEqual(["beat", "beat", "due", "prune", "beat", "due"]);
    it.stop();
  });

  test("does not begin before the one before has ended", async () => {
    const gate = Promise.withResolvers<void>();
    let beats = 0;
    const store = {
      ...bed.chat.store,
      beat: () => {
        beats++;
        return beats === 2 ? gate.promise : Promise.resolve();
      },
    };
    const { it } = poller({ store, pollMs: 1 });
    it.start();
    await until("the round that waits", () => beats === 2);
    let ticks = 0;
    const timer = setInterval(() => void ticks++, 1);
    await until("time for more rounds", () => ticks >= 10);
    clearInterval(timer);
    expect(beats).toBe(2);
    gate.resolve();
    await until("the next round", () => beats > 2);
  });

  test("that is stopped in its sweep does not beat any more", async () => {
    const calls: string[] = [];
    const gate = Promise.withResolvers<void>();
    const store: ChatStore = {
      ...bed.chat.store,
      async beat() {
        calls.push("beat");
      },
      async prune() {
        calls.push("prune");
        await gate.promise;
        return { sessions: 0, tombstones: 0 };
      },
      async due() {
        calls.push("due");
        return [];
      },
    };
    const { it } = poller({ store, pollMs: 2 });
    it.start();
    await until("the sweep", () => calls.includes("prune"));
    it.stop();
    const before = calls.length;
    gate.resolve();
    await Bun.sleep(0);
    await it.pass();
    expect(calls.slice(before)).toEqual([]);
  });

  test("survives a host that cannot answer, says so once for each failure, and delivers when it can", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    await mail();
    let broken = true;
    let asked = 0;
    let wakes = 0;
    const { it, log } = poller({
      pollMs: 2,
      hosting: hosting({
        sessionIds() {
          asked++;
          if (broken) throw new Error("no session list");
          return ["ses_one"];
        },
        async wake() {
          wakes++;
          return "started";
        },
      }),
    });
    it.start();
    await until("some rounds", () => asked >= 9);
    expect(log).toEqual([
      "poller: the heartbeat was not written; the next one follows",
      "delivery: looking for mail failed; it is tried again at the next round",
    ]);
    broken = false;
    await until("the wake", () => wakes === 1);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("logs a delivery that keeps failing once, though looking for mail works", async () => {
    await mail();
    const store = { ...bed.chat.store, takeWake: () => Promise.reject(new Error("disk full")) };
    const { it, log } = poller({ store });
    for (let n = 0; n < 3; n++) {
      await it.pass();
      await it.flush("ses_one");
    }
    expect(log).toEqual(["delivery: delivering to ses_one failed; it is tried again at the next round"]);
  });
});
