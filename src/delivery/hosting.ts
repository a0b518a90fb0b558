import type { WakeOutcome } from "../core/store.ts";

/** What a host process lends to delivery: the sessions it hosts, and the means to wake one. */
export interface Hosting {
  /** The sessions this process hosts; it beats for these and delivers to no others. */
  sessionIds(): readonly string[];
  /** Those of them that run a turn now. */
  busyIds(): readonly string[];
  /** Whether a turn may be started in it now: idle, not compacting, and not waiting for a person's answer. */
  canDeliver(sessionId: string): boolean;
  /** Prompts the session to read its mail, and tells whether a turn was seen to start. */
  wake(
    sessionId: string,
    mail: { readonly count: number; readonly senders: readonly (string | null)[] },
  ): Promise<WakeOutcome>;
}
