import { startDoorbell } from "../../delivery/doorbell.ts";
import { debugLog } from "../../platform/debug-log.ts";
import { isMissing } from "../../platform/is-missing.ts";
import { watchReader } from "../../platform/reader-watch.ts";
import { stillFollowing, waitingForDatabase } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import { asFault, CliFault } from "../fault.ts";

/** How often it looks whether anybody still reads, and tries again after a failure, in ms. */
const LOOK_MS = 1000;

/**
 * Calls `print` now and after every commit, never two at once, until the process is interrupted or its reader is gone. A missing
 * database is waited for; what else fails is said once on standard error, and tried again.
 */
export async function follow(context: CliContext, print: () => Promise<void>): Promise<void> {
  const { settings, store, output } = context;
  const { databaseFile } = settings;
  let rung = true;
  let ended = false;
  let wake: (() => void) | null = null;
  let said: string | null = null;

  function ring(): void {
    rung = true;
    wake?.();
  }
  function end(): void {
    ended = true;
    wake?.();
  }
  function say(sentence: string): void {
    if (said !== sentence) output.err(`${sentence}\n`);
    said = sentence;
  }

  const log = debugLog(settings.debugFile);
  const isReaderGone = watchReader(log);
  const doorbell = startDoorbell({
    openProbe: () => store.commitProbe(),
    onCommit: ring,
    log,
  });
  const look = setInterval(() => {
    if (isReaderGone()) end();
    // No commit tells that the database is gone, or that what failed would work by now.
    else if (said !== null || isMissing(databaseFile)) ring();
  }, LOOK_MS);
  process.once("SIGINT", end);
  try {
    while (!ended) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (ended) return;
      rung = false;
      if (isMissing(databaseFile)) {
        // Asking the store would make one.
        say(waitingForDatabase(databaseFile));
        continue;
      }
      try {
        await print();
        said = null;
      } catch (error) {
        const fault = asFault(error);
        if (!(fault instanceof CliFault)) throw error;
        say(stillFollowing(fault.message));
      }
    }
  } finally {
    clearInterval(look);
    doorbell.stop();
    process.off("SIGINT", end);
  }
}
