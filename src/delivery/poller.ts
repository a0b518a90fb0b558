import type { Clock } from "../core/clock.ts";
import { staleAfterMs } from "../core/liveness.ts";
import type { Log } from "../core/log.ts";
import type { ChatStore } from "../core/store.ts";
import type { WakeLimits } from "../core/wake.ts";
import { Deliverer } from "./deliverer.ts";
import { type Doorbell, startDoorbell } from "./doorbell.ts";
import type { Hosting } from "./hosting.ts";
import { Sweeper } from "./sweeper.ts";

/** What a poller works with. */
export interface PollerOptions {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly hosting: Hosting;
  readonly limits: WakeLimits;
  /** The heartbeat interval; a pass for mail follows each beat, as the net under the doorbell. */
  readonly pollMs: number;
  /** Rows silent for this long are swept. */
  readonly ttlMs: number;
  readonly log: Log;
  readonly doorbell?: typeof startDoorbell;
}

/** The one poller of a process. Nothing it does is ever thrown at its host. */
export interface Poller {
  /** Begins, or begins again after a stop, with a beat at once. */
  start(): void;
  stop(): void;
  /** One heartbeat of the hosted sessions. */
  beat(): Promise<void>;
  /** Delivers what is due to every hosted session that may be woken. */
  pass(): Promise<void>;
  /** Delivers what is due to one session, if it may be woken. */
  flush(sessionId: string): Promise<void>;
}

/** Beats for the hosted sessions and delivers their mail: at every ring of the doorbell, and every `pollMs` all the same. */
export function createPoller(options: PollerOptions): Poller {
  const { store, clock, hosting, limits, pollMs, log } = options;
  const deliverer = new Deliverer(store, clock, hosting, limits, log);
  const sweeper = new Sweeper(store, clock, options.ttlMs, pollMs, log);
  let timer: ReturnType<typeof setInterval> | undefined;
  let doorbell: Doorbell | null = null;
  let cycling = false;
  let beatFailure: string | null = null;

  async function beat(): Promise<void> {
    try {
      const sessionIds = hosting.sessionIds();
      if (sessionIds.length === 0) return;
      const at = clock.now();
      await store.beat({ sessionIds, busyIds: hosting.busyIds(), at, busyUntil: at + staleAfterMs(pollMs) });
      beatFailure = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== beatFailure) log("poller", "the heartbeat was not written; the next one follows", error);
      beatFailure = reason;
    }
  }

  async function cycle(): Promise<void> {
    // A store that is slow to answer must not be asked ever more.
    if (cycling) return;
    cycling = true;
    try {
      // The sweep comes first: its age is measured against beats, and must not be against the one of a process that just woke up.
      await sweeper.cycle();
      // A host that stopped meanwhile closes its store: a beat would open it again.
      if (timer === undefined) return;
      await beat();
      deliverer.resume();
      await deliverer.pass();
    } finally {
      cycling = false;
    }
  }

  return {
    start() {
      if (timer !== undefined) return;
      timer = setInterval(cycle, pollMs);
      timer.unref?.();
      deliverer.start();
      void beat();
      doorbell = (options.doorbell ?? startDoorbell)({
        openProbe: () => store.commitProbe(),
        onCommit: () => void deliverer.pass(),
        log,
      });
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      doorbell?.stop();
      doorbell = null;
      deliverer.stop();
    },
    beat,
    pass: () => deliverer.pass(),
    flush(sessionId) {
      deliverer.resume(sessionId);
      return deliverer.deliver(sessionId);
    },
  };
}
