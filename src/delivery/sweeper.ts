import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { ChatStore } from "../core/store.ts";

const HOUR_MS = 60 * 60 * 1000;

/** Removes the rows of sessions that have been silent too long: at a process's second cycle, then hourly. */
export class Sweeper {
  #previousCycle: number | null = null;
  #nextSweep: number | null = null;

  constructor(
    private readonly store: ChatStore,
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly pollMs: number,
    private readonly log: Log,
  ) {}

  /** Sweeps if it is time. To be called once a cycle, before the process's own beat. */
  async cycle(): Promise<void> {
    const now = this.clock.now();
    const previous = this.#previousCycle;
    this.#previousCycle = now;
    if (previous === null) return;
    // The machine slept or its clock was set: whoever else lives has to get the chance to beat before anybody is judged.
    const steady = now >= previous && now - previous <= 2 * this.pollMs;
    if (!steady) this.#nextSweep = now + 2 * this.pollMs;
    this.#nextSweep ??= now;
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + HOUR_MS;
    try {
      const { sessions, tombstones } = await this.store.prune(now, this.ttlMs);
      if (sessions + tombstones > 0)
        this.log("sweep", `removed ${sessions} silent sessions and ${tombstones} old leaves`);
    } catch (error) {
      this.log("sweep", "nothing was removed; the next sweep is in an hour", error);
    }
  }
}
