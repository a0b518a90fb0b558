import { ChatError } from "../../core/errors.ts";
import { asChatError, isBusy } from "./failure.ts";

/** The longest pause between two attempts, in ms: a lock that is released is noticed within it. */
const LONGEST_PAUSE_MS = 50;

/** How long and how an operation waits for other processes. All times in ms. */
export interface Patience {
  readonly file: string;
  readonly patienceMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/**
 * Runs `work`, and again as long as another process's lock is in the way, until `patienceMs` have gone by since `since`;
 * at least once. Between attempts the event loop is free; the pauses grow, and are spread so that processes do not collide again.
 * Rejects with a `ChatError`.
 */
export async function attempt<T>(work: () => T, since: number, patience: Patience): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asChatError(error, patience.file);
      const waitedMs = Math.round(patience.now() - since);
      if (waitedMs >= patience.patienceMs) {
        throw new ChatError({ code: "store-busy", file: patience.file, waitedMs }, { cause: error });
      }
      await patience.sleep(Math.min(pause * (0.5 + Math.random() / 2), patience.patienceMs - waitedMs));
    }
  }
}
