import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { ChatStore, WakeOutcome, WakeTake } from "../core/store.ts";
import type { WakeLimits } from "../core/wake.ts";
import type { Hosting } from "./hosting.ts";

/** Wakes hosted sessions for their due mail, one wake at a time each. */
export class Deliverer {
  /** Deliveries under way, and whether to look again when one ends, since mail may have come meanwhile. */
  readonly #delivering = new Map<string, { again: boolean; done: Promise<void> }>();
  #passing: Promise<void> | null = null;
  #passAgain = false;
  readonly #retries = new Map<string, ReturnType<typeof setTimeout>>();
  /**
   * Sessions whose last wake came to nothing. They wait for the next round or their next idle moment: a failed wake writes to the
   * database, and would ring for itself without end.
   */
  readonly #paused = new Set<string>();
  readonly #capped = new Set<string>();
  #lastFailure = "";

  constructor(
    private readonly store: ChatStore,
    private readonly clock: Clock,
    private readonly hosting: Hosting,
    private readonly limits: WakeLimits,
    private readonly log: Log,
  ) {}

  /** Delivers to every hosted session with due mail. Calls during a pass share one more pass after it. */
  pass(): Promise<void> {
    if (this.#passing) {
      this.#passAgain = true;
      return this.#passing;
    }
    this.#passing = this.#passes().finally(() => {
      this.#passing = null;
    });
    return this.#passing;
  }

  async #passes(): Promise<void> {
    do {
      this.#passAgain = false;
      const ready = this.hosting.sessionIds().filter((id) => !this.#paused.has(id) && this.hosting.canDeliver(id));
      if (ready.length === 0) continue;
      const due = await this.#contained("looking for mail", () => this.store.due(ready, this.clock.now(), this.limits));
      // Not awaited: a wake takes its time to be confirmed, and the other sessions' mail must not wait for it.
      for (const id of due ?? []) void this.deliver(id);
    } while (this.#passAgain);
  }

  /** Wakes one session if it may be woken and has due mail. */
  deliver(sessionId: string): Promise<void> {
    const running = this.#delivering.get(sessionId);
    if (running) {
      running.again = true;
      return running.done;
    }
    const delivery = { again: false, done: Promise.resolve() };
    this.#delivering.set(sessionId, delivery);
    delivery.done = this.#deliveries(sessionId, delivery).finally(() => this.#delivering.delete(sessionId));
    return delivery.done;
  }

  async #deliveries(sessionId: string, delivery: { again: boolean }): Promise<void> {
    do {
      delivery.again = false;
      await this.#contained(`delivering to ${sessionId}`, () => this.#deliverOnce(sessionId));
    } while (delivery.again);
  }

  async #deliverOnce(sessionId: string): Promise<void> {
    if (this.#paused.has(sessionId) || !this.hosting.canDeliver(sessionId)) return;
    const take = await this.store.takeWake(sessionId, this.clock.now(), this.limits);
    switch (take.kind) {
      case "wake": {
        const outcome = await this.#wake(sessionId, take);
        if (outcome !== "started") this.#paused.add(sessionId);
        await this.store.settleWake(sessionId, take, outcome, this.clock.now(), this.limits);
        this.#capped.delete(sessionId);
        return;
      }
      case "leased":
        return this.#retry(sessionId, this.limits.leaseMs);
      case "busy":
        return this.#retry(sessionId, this.limits.busyMs);
      case "capped":
        if (!this.#capped.has(sessionId)) {
          this.log(
            "delivery",
            `${sessionId} was woken as often as allowed; its mail waits for ${new Date(take.freeAt).toISOString()}`,
          );
        }
        this.#capped.add(sessionId);
        return;
      case "nothing":
        return;
    }
  }

  async #wake(sessionId: string, take: Extract<WakeTake, { kind: "wake" }>): Promise<WakeOutcome> {
    // A turn may have begun while the wake was taken.
    if (!this.hosting.canDeliver(sessionId)) return "rejected";
    try {
      return await this.hosting.wake(sessionId, { count: take.count, senders: take.senders });
    } catch (error) {
      this.log("delivery", `waking ${sessionId} failed; its mail stays pending`, error);
      return "rejected";
    }
  }

  /** Looks again once another process's lease or turn must have ended, should nothing ring before. */
  #retry(sessionId: string, afterMs: number): void {
    if (this.#retries.has(sessionId)) return;
    const timer = setTimeout(() => {
      this.#retries.delete(sessionId);
      void this.deliver(sessionId);
    }, afterMs);
    timer.unref?.();
    this.#retries.set(sessionId, timer);
  }

  async #contained<T>(what: string, task: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await task();
      this.#lastFailure = "";
      return result;
    } catch (error) {
      const failure = `${what}: ${error instanceof Error ? error.message : String(error)}`;
      if (failure !== this.#lastFailure)
        this.log("delivery", `${what} failed; it is tried again at the next round`, error);
      this.#lastFailure = failure;
      return undefined;
    }
  }

  /** Lets sessions be tried again whose last wake came to nothing: one, or all. */
  resume(sessionId?: string): void {
    if (sessionId === undefined) this.#paused.clear();
    else this.#paused.delete(sessionId);
  }

  stop(): void {
    for (const timer of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
  }
}
