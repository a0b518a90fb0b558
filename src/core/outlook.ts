import { isStale } from "./liveness.ts";
import { type Reach, reachOf } from "./roster.ts";
import type { Session } from "./session.ts";
import { isHeld, type WakeLimits, wakeBudget } from "./wake.ts";

/**
 * What is known, when a message is stored, of how its recipient will hear of it.
 * `stale`: no process hosts it now. `turn`, `polls`: it is seen at its next turn, or when it looks. `busy`: a turn runs.
 * `capped`: its wakes are spent until `freeAt`. `wakes`: it is idle and its host wakes it.
 */
export type Outlook =
  | { readonly kind: "stale"; readonly silentMs: number }
  | { readonly kind: Exclude<Reach, "wakes"> }
  | { readonly kind: "busy" }
  | { readonly kind: "capped"; readonly freeAt: number }
  | { readonly kind: "wakes" };

/** Judges the outlook for one recipient from its row and the wakes its budget counts. */
export function outlookFor(
  recipient: Session,
  wakes: readonly number[],
  now: number,
  limits: WakeLimits,
  pollMs: number,
): Outlook {
  if (isStale(recipient, now, pollMs)) return { kind: "stale", silentMs: now - recipient.lastSeenAt };
  const reach = reachOf(recipient);
  if (reach !== "wakes") return { kind: reach };
  const budget = wakeBudget(wakes, now, limits);
  if (budget.left === 0) return { kind: "capped", freeAt: budget.freeAt };
  if (isHeld(recipient.busyUntil, now, limits.busyMs)) return { kind: "busy" };
  return { kind: "wakes" };
}
