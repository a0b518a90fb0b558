import { statSync, watch as watchFolder } from "node:fs";
import { basename, dirname } from "node:path";
import type { Log } from "../core/log.ts";
import type { CommitProbe } from "../core/store.ts";

/**
 * How often it looks without being asked, as some file systems report no events, and how often watching is tried again.
 * A look costs some 20 µs.
 */
const FALLBACK_MS = 1_000;
/**
 * A file event may come before its commit can be seen, since SQLite writes the log before its index; and the events of two
 * commits may come as one, of which only the first can be seen. These pauses, in milliseconds, after every event make sure
 * that no commit waits for the next event.
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
  /** Milliseconds between looks that no event asked for; 1,000 unless given. */
  readonly fallbackMs?: number;
}

/** A running doorbell. It keeps no process alive. */
export interface Doorbell {
  stop(): void;
}

/**
 * Rings at every commit to the database, within milliseconds: a file event in its folder asks for a look at SQLite's own change
 * counter. Where events or the database fail, a look once a second stands in; failures are logged, never thrown.
 */
export function startDoorbell(options: DoorbellOptions): Doorbell {
  const { onCommit, log, watch = watchFolder, fallbackMs = FALLBACK_MS } = options;
  let probe: CommitProbe | null = null;
  let watcher: ReturnType<typeof watchFolder> | null = null;
  let watched: string | null = null;
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

  /** Looks at the change counter, and rings if it has moved. */
  function look(): void {
    if (stopped) return;
    try {
      probe ??= options.openProbe();
      const version = probe.version();
      // The first look after a failure rings too: what was committed meanwhile is not known.
      const changed = version !== seen;
      seen = version;
      failures.delete(NO_DATABASE);
      if (changed) onCommit();
    } catch (error) {
      failed(NO_DATABASE, error);
      closeProbe();
      seen = null;
    }
  }

  function lookAgain(attempt: number): void {
    clearTimeout(recheck);
    const pause = RECHECK_MS[attempt];
    if (pause === undefined || stopped) return;
    recheck = setTimeout(() => {
      look();
      lookAgain(attempt + 1);
    }, pause);
    recheck.unref?.();
  }

  function tryToWatch(): void {
    if (probe === null || stopped) return;
    const folder = dirname(probe.file);
    const name = basename(probe.file);
    const files = new Set([name, `${name}-wal`]);
    try {
      const identity = identityOf(folder);
      if (watcher !== null && identity === watched) return;
      closeWatcher();
      const started = watch(folder, { persistent: false }, (_, file) => {
        if (file !== null && !files.has(String(file))) return;
        look();
        lookAgain(0);
      });
      started.on("error", (error) => {
        failed(NO_WATCHER, error);
        if (watcher === started) closeWatcher();
      });
      watcher = started;
      watched = identity;
      failures.delete(NO_WATCHER);
      // What was committed between the last look and the start of watching raised no event here.
      look();
    } catch (error) {
      failed(NO_WATCHER, error);
    }
  }

  function tick(): void {
    look();
    tryToWatch();
  }

  const fallback = setInterval(tick, fallbackMs);
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

/** Tells a folder from one made later under its name: a watcher stays with the old one, and need not say that it is gone. */
function identityOf(folder: string): string | null {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  // The number alone does not tell: file systems give it to the next folder at once.
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : null;
}
