import { describe, expect, test } from "bun:test";
import type { ChatStore } from "../../src/core/store.ts";
import { Sweeper } from "../../src/delivery/sweeper.ts";
import { FakeClock, HOUR } from "../support/chat.ts";

const POLL = 30_000;

function sweeper(prune: ChatStore["prune"] = async () => ({ sessions: 0, tombstones: 0 })) {
  const clock = new FakeClock();
  const sweeps: number[] = [];
  const log: string[] = [];
  const store = {
    prune: (at: number, ttlMs: number) => {
      sweeps.push(at);
      return prune(at, ttlMs);
    },
  } as ChatStore;
  const it = new Sweeper(store, clock, 7 * 24 * HOUR, POLL, (_, message) => void log.push(message));
  return {
    sweeps,
    log,
    clock,
    async cycles(count: number, everyMs = POLL) {
      for (let n = 0; n < count; n++) {
        clock.pass(everyMs);
        await it.cycle();
      }
    },
  };
}

describe("the sweep", () => {
  test("comes at the second cycle and then every hour", async () => {
    const { sweeps, cycles } = sweeper();
    await cycles(1);
    expect(sweeps.length).toBe(0);
    await cycles(1);
    expect(sweeps.length).toBe(1);
    await cycles(119);
    expect(sweeps.length).toBe(1);
    await cycles(1);
    expect(sweeps.length).toBe(2);
  });

  for (const [what, jump] of [
    ["the machine slept for eight days", 8 * 24 * HOUR],
    ["the clock went back an hour", -HOUR],
  ] as const) {
    test(`waits after ${what}, so that others can beat first`, async () => {
      const { sweeps, cycles } = sweeper();
      await cycles(2);
      await cycles(1, jump);
      expect(sweeps.length).toBe(1);
      await cycles(1);
      expect(sweeps.length).toBe(1);
      await cycles(2);
      expect(sweeps.length).toBe(2);
    });
  }

  test("that fails is logged and tried again in an hour", async () => {
    const { sweeps, log, cycles } = sweeper(() => Promise.reject(new Error("locked")));
    await cycles(2);
    expect(log).toEqual(["nothing was removed; the next sweep is in an hour"]);
    await cycles(120);
    expect(sweeps.length).toBe(2);
  });
});
