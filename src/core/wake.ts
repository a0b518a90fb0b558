import { staleAfterMs } from "./liveness.ts";
import type { Message } from "./message.ts";

/** The numbers that decide when a wake is allowed. All times are milliseconds. */
export interface WakeLimits {
  /** A delivered but unread message is due again after this long. */
  readonly renudgeMs: number;
  /** Wakes allowed per recipient within any `windowMs`. */
  readonly cap: number;
  readonly windowMs: number;
  /** How long one deliverer keeps others from waking the same session. */
  readonly leaseMs: number;
  /** The longest that a mark of a running turn may reach ahead; a later one is a jumped clock's. */
  readonly busyMs: number;
}

/** How far the moments may lie apart at which two processes look at the clock and then get their turn: twice the longest wait for a lock. */
export const WAITED_MS = 10_000;

/** Where nothing beats through a turn, one that shows no sign of life for this long counts as ended: two minutes. */
export const SILENT_TURN_MS = 120_000;

/** The budget counts the wakes of one hour. */
const HOUR_MS = 60 * 60 * 1000;
/** A deliverer that died holds its recipient's lease for this long. */
const LEASE_MS = 30_000;

/** The limits that hold in every process of a person who chose these. */
export function wakeLimits(chosen: { renudgeMs: number; nudgesPerHour: number; pollMs: number }): WakeLimits {
  return {
    renudgeMs: chosen.renudgeMs,
    cap: chosen.nudgesPerHour,
    windowMs: HOUR_MS,
    leaseMs: LEASE_MS,
    // Two polls where something beats through a turn.
    busyMs: Math.max(staleAfterMs(chosen.pollMs), SILENT_TURN_MS),
  };
}

/**
 * Whether a message calls for a wake: unread, and never delivered or delivered longer than the re-nudge window ago.
 * A delivery stamp from the future means that the clock jumped back; it counts as long ago, since a repeated wake is
 * cheaper than mail nobody hears of. One that is only a little ahead was set by another process while this one waited its turn.
 */
export function isDue(message: Pick<Message, "readAt" | "deliveredAt">, now: number, limits: WakeLimits): boolean {
  if (message.readAt !== null) return false;
  if (message.deliveredAt === null) return true;
  return message.deliveredAt > now + WAITED_MS || now - message.deliveredAt >= limits.renudgeMs;
}

/** Whether a turn or a lease that was to last until `until` still does; one that ends well later than `longest` from now is a jumped clock's. */
export function isHeld(until: number | null, now: number, longest: number): boolean {
  return until !== null && until > now && until <= now + longest + WAITED_MS;
}

/** What is left of a recipient's wakes. `freeAt` is when the next one is allowed; `now` when there is one left. */
export interface WakeBudget {
  readonly left: number;
  readonly freeAt: number;
}

/**
 * The wake budget: at most `cap` wakes in any `windowMs`. Wakes stamped in the future, up to one window, count too:
 * a clock that jumps back must not refill the budget.
 */
export function wakeBudget(wakes: readonly number[], now: number, limits: WakeLimits): WakeBudget {
  const counted = wakes.filter((at) => now - at < limits.windowMs && at - now <= limits.windowMs).sort((a, b) => a - b);
  const left = Math.max(0, limits.cap - counted.length);
  const next = counted.at(-limits.cap);
  return { left, freeAt: left > 0 || next === undefined ? now : next + limits.windowMs };
}
