import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { ChatStore, WakeOutcome, WakeTake } from "../core/store.ts";
import type { WakeLimits } from "../core/wake.ts";
import type { Hosting } from "./hosting.ts";

/** Wakes hosted sessions for their due mail, one wake at a time each. */
export class Deliverer {
  /** Deliveries under way, and whether to look again when one ends, since mail may have come meanwhile. */
  readonly #delivering = new Map<string, { again: boolean; done: Promise<void> }>();
  #passing = Promise.resolve();
  #isPassing = false;
  #passAgain = false;
  readonly #retries = new Map<string, ReturnType<typeof setTimeout>>();
  /**
   * Sessions whose last wake came to nothing. They wait for the next round or their next idle moment: a failed wake writes to the
   * database, and would ring for itself without end.
   */
  readonly #paused = new Set<string>();
  readonly #capped = new Set<string>();
  /** What failed when it was last tried, and why: said once, until it works again or fails for another reason. */
  readonly #failures = new Map<string, string>();
  #stopped = false;

  constructor(
    private readonly store: ChatStore,
    private readonly clock: Clock,
    private readonly hosting: Hosting,
    private readonly limits: WakeLimits,
    private readonly log: Log,
  ) {}

  /** Delivers to every hosted session with due mail. Calls during a pass share one more pass after it. */
  pass(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#isPassing) this.#passAgain = true;
    else this.#passing = this.#passes();
    return this.#passing;
  }

  async #passes(): Promise<void> {
    this.#isPassing = true;
    do {
      this.#passAgain = false;
      const due = await this.#contained("looking for mail", () => this.#due());
      // Not awaited: a wake takes its time to be confirmed, and the other sessions' mail must not wait for it.
      for (const id of due ?? []) void this.deliver(id);
    } while (this.#passAgain);
    // In the same step as the last look at `again`: a ring between the two would be lost.
    this.#isPassing = false;
  }

  async #due(): Promise<readonly string[]> {
    const ready = this.hosting.sessionIds().filter((id) => !this.#paused.has(id) && this.hosting.canDeliver(id));
    return ready.length === 0 ? [] : this.store.due(ready, this.clock.now(), this.limits);
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
    delivery.done = this.#deliveries(sessionId, delivery);
    return delivery.done;
  }

  async #deliveries(sessionId: string, delivery: { again: boolean }): Promise<void> {
    do {
      delivery.again = false;
      await this.#contained(`delivering to ${sessionId}`, () => this.#deliverOnce(sessionId));
    } while (delivery.again);
    // In the same step as the last look at `again`, as above.
    this.#delivering.delete(sessionId);
  }

  async #deliverOnce(sessionId: string): Promise<void> {
    if (this.#stopped || this.#paused.has(sessionId) || !this.hosting.canDeliver(sessionId)) return;
    // A look that was asked for earlier may come when chat is off, or when the session is let go of.
    if (!this.hosting.sessionIds().includes(sessionId)) return;
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
    // A turn may have begun while the wake was taken, or delivery have ended.
    if (this.#stopped || !this.hosting.canDeliver(sessionId)) return "rejected";
    try {
      return await this.hosting.wake(sessionId, { count: take.count, senders: take.senders });
    } catch (error) {
      // A host says itself what it refused. What failed in another way may have started a turn, and is not given for nothing.
      this.log("delivery", `waking ${sessionId} failed; its mail stays pending`, error);
      return "unseen";
    }
  }

  /** Looks again once another process's lease or turn must have ended, should nothing ring before. */
  #retry(sessionId: string, afterMs: number): void {
    if (this.#stopped || this.#retries.has(sessionId)) return;
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
      this.#failures.delete(what);
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#failures.get(what) !== reason)
        this.log("delivery", `${what} failed; it is tried again at the next round`, error);
      this.#failures.set(what, reason);
      return undefined;
    }
  }

  /** Lets sessions be tried again whose last wake came to nothing: one, or all. */
  resume(sessionId?: string): void {
    if (sessionId === undefined) this.#paused.clear();
    else this.#paused.delete(sessionId);
  }

  start(): void {
    this.#stopped = false;
  }

  /** Ends what waits for its time, and gives no wake until it is started again. One under way is still settled. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
  }
}
