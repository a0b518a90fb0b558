import type { Clock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import type { ChatStore } from "../core/store.ts";
import type { WakeLimits } from "../core/wake.ts";

/** What every use case works with. */
export interface Chat {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The heartbeat interval, on which staleness rests. */
  readonly pollMs: number;
  readonly limits: WakeLimits;
}
