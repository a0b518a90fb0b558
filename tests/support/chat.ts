import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Chat } from "../../src/chat/chat.ts";
import type { NewSession } from "../../src/core/session.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";

/** A clock that stands still until it is moved. */
export class FakeClock {
  constructor(public at = Date.UTC(2026, 0, 2, 3, 4, 5)) {}
  now(): number {
    return this.at;
  }
  pass(ms: number): void {
    this.at += ms;
  }
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The limits thatch has by default. */
export const LIMITS = { renudgeMs: 15 * MINUTE, cap: 6, windowMs: HOUR, leaseMs: 30_000, busyMs: MINUTE };

/** A chat on a real database of its own, with a clock that stands still and names drawn in a fixed order. */
export function testChat(): { chat: Chat; clock: FakeClock; folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "thatch-test-"));
  const clock = new FakeClock();
  let draws = 0;
  let tokens = 0;
  const chat: Chat = {
    store: createSqliteStore({ file: join(folder, "thatch.db") }),
    clock,
    random: { fraction: () => (draws++ * 0.137) % 1, token: () => `token${tokens++}` },
    pollMs: 30_000,
    limits: LIMITS,
  };
  return {
    chat,
    clock,
    folder,
    remove() {
      chat.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A session of opencode's terminal, ready to be registered. */
export function newSession(sessionId: string, more: Partial<NewSession> = {}): NewSession {
  return {
    sessionId,
    host: "opencode",
    hostMode: "tui",
    topic: `work of ${sessionId}`,
    project: "demo",
    directory: "/projects/demo",
    worktree: "root",
    ...more,
  };
}
