import type { Log } from "../../core/log.ts";
import type { Host } from "../../core/session.ts";
import type { ChatStore, WakeOutcome } from "../../core/store.ts";
import { isHeld, type WakeLimits } from "../../core/wake.ts";
import type { Hosting } from "../../delivery/hosting.ts";
import { ringBell } from "../../platform/bells.ts";
import type { Callers } from "./callers.ts";

/** A bell is heard within a second, and the turn it starts says so in its first hook. */
const TURN_TIMEOUT_MS = 15_000;

export interface McpHostingOptions {
  readonly store: ChatStore;
  readonly callers: Callers;
  readonly limits: WakeLimits;
  readonly bellFolder: string;
  readonly now: () => number;
  readonly enabled: () => boolean;
  /** Whether there is a database yet; looking must not make one. */
  readonly hasDatabase: () => boolean;
  readonly log: Log;
  readonly turnTimeoutMs?: number;
}

/** The one session this server beats for and wakes, which may change while it runs. */
export class McpHosting implements Hosting {
  #current: { readonly sessionId: string; readonly host: Host } | null = null;
  /** Called when the session is seen to run a turn. */
  #turnSeen: (() => void) | null = null;

  constructor(private readonly options: McpHostingOptions) {}

  /** Looks again which session it is, and says of its row that something runs beside it. To be called at every ring. */
  async refresh(): Promise<void> {
    const { callers, store, limits, enabled, hasDatabase, now, log } = this.options;
    try {
      const current = enabled() && hasDatabase() ? await callers.current() : null;
      this.#current = null;
      if (current === null) return;
      const row = await store.find(current.sessionId);
      if (row?.sessionId !== current.sessionId) return;
      this.#current = current;
      if (isHeld(row.busyUntil, now(), limits.busyMs)) this.#turnSeen?.();
      // Between its end and its resumption nothing is to keep it alive.
      if (row.hostMode === null) await store.signOfLife(row.sessionId, { at: now(), hostMode: "served" });
      else if (row.hostMode === "closed") this.#current = null;
    } catch (error) {
      log("mcp", "the server's session could not be looked up; it is tried again at the next commit or beat", error);
    }
  }

  sessionIds(): string[] {
    return this.#current === null ? [] : [this.#current.sessionId];
  }

  /** Hooks mark the turns of Claude Code; of other clients nothing is known. */
  busyIds(): string[] {
    return [];
  }

  canDeliver(sessionId: string): boolean {
    return this.#current?.sessionId === sessionId && this.#current.host === "claude-code";
  }

  /** The turn that the bell starts marks the session busy; every commit is looked at, so that no turn is too short to be seen. */
  async wake(sessionId: string): Promise<WakeOutcome> {
    const { bellFolder, now, log, turnTimeoutMs = TURN_TIMEOUT_MS } = this.options;
    const outcome = Promise.withResolvers<WakeOutcome>();
    this.#turnSeen = () => outcome.resolve("started");
    try {
      ringBell(bellFolder, sessionId, now());
    } catch (error) {
      log("mcp", `the bell of ${sessionId} could not be rung; its mail stays pending`, error);
      this.#turnSeen = null;
      return "rejected";
    }
    const timer = setTimeout(() => outcome.resolve("unseen"), turnTimeoutMs);
    try {
      return await outcome.promise;
    } finally {
      clearTimeout(timer);
      this.#turnSeen = null;
    }
  }
}
