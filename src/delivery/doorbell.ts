import { watch as watchFolder } from "node:fs";
import { basename, dirname } from "node:path";
import type { Log } from "../core/log.ts";
import type { CommitProbe } from "../core/store.ts";

/** Where file events do not come, commits are looked for this often; it is also how often watching is tried again. */
const FALLBACK_MS = 1_000;
/**
 * A file event may come before its commit can be seen, since SQLite writes the log before its index. These pauses, in
 * milliseconds, after an event without a commit make sure that none waits for the next event.
 */
const RECHECK_MS = [1, 1, 2, 4, 8, 16, 32];

const NO_DATABASE = "the database cannot be looked at";
const NO_WATCHER = "the folder cannot be watched";

/** What a doorbell needs. */
export interface DoorbellOptions {
  readonly openProbe: () => CommitProbe;
  /** Called after every commit of any other connection, soon and at least once; several commits may share a call. */
  readonly onCommit: () => void;
  readonly log: Log;
  readonly watch?: typeof watchFolder;
}

/** A running doorbell. It keeps no process alive. */
export interface Doorbell {
  stop(): void;
}

/**
 * Rings at every commit to the database, within milliseconds: a file event in its folder asks for a look at SQLite's own change
 * counter. Where watching or the database fails, it looks once a second and tries again; failures are logged, never thrown.
 */
export function startDoorbell(options: DoorbellOptions): Doorbell {
  const { onCommit, log, watch = watchFolder } = options;
  let probe: CommitProbe | null = null;
  let watcher: ReturnType<typeof watchFolder> | null = null;
  let seen: number | null = null;
  const failures = new Map<string, string>();
  let stopped = false;
  let recheck: ReturnType<typeof setTimeout> | undefined;

  function failed(what: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (failures.get(what) !== reason) log("doorbell", `${what}; it looks once a second until that works again`, error);
    failures.set(what, reason);
  }

  function closeProbe(): void {
    try {
      probe?.close();
    } catch (error) {
      log("doorbell", "the database did not close", error);
    }
    probe = null;
  }

  function closeWatcher(): void {
    watcher?.close();
    watcher = null;
  }

  /** Looks at the change counter; true when there was a commit. */
  function look(): boolean {
    if (stopped) return false;
    try {
      probe ??= options.openProbe();
      const version = probe.version();
      // The first look after a failure rings too: what was committed meanwhile is not known.
      const changed = version !== seen;
      seen = version;
      failures.delete(NO_DATABASE);
      if (changed) onCommit();
      return changed;
    } catch (error) {
      failed(NO_DATABASE, error);
      closeProbe();
      seen = null;
      return false;
    }
  }

  function lookAgain(attempt: number): void {
    clearTimeout(recheck);
    const pause = RECHECK_MS[attempt];
    if (pause === undefined || stopped) return;
    recheck = setTimeout(() => {
      if (!look()) lookAgain(attempt + 1);
    }, pause);
    recheck.unref?.();
  }

  function tryToWatch(): void {
    if (watcher !== null || probe === null || stopped) return;
    const name = basename(probe.file);
    const files = new Set([name, `${name}-wal`]);
    try {
      const started = watch(dirname(probe.file), { persistent: false }, (_, file) => {
        if (file !== null && !files.has(String(file))) return;
        if (!look()) lookAgain(0);
      });
      started.on("error", (error) => {
        failed(NO_WATCHER, error);
        closeWatcher();
      });
      watcher = started;
      failures.delete(NO_WATCHER);
    } catch (error) {
      failed(NO_WATCHER, error);
    }
  }

  function tick(): void {
    if (watcher !== null && probe !== null) return;
    look();
    tryToWatch();
  }

  const fallback = setInterval(tick, FALLBACK_MS);
  fallback.unref?.();
  tick();
  return {
    stop() {
      stopped = true;
      clearInterval(fallback);
      clearTimeout(recheck);
      closeWatcher();
      closeProbe();
    },
  };
}
