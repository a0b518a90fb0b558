import type { PruneCount } from "../../core/store.ts";
import type { Connection } from "./connection.ts";

const NOTHING: PruneCount = { sessions: 0, tombstones: 0 };

/**
 * Sweeps what nobody has needed for `ttlMs`. A wake is swept with that age too: it is far longer than the window of any
 * budget. Messages and name counters stay for good.
 */
export function prune(connection: Connection, at: number, ttlMs: number): PruneCount {
  return connection.immediate(() => {
    const previous = connection.get<{ at: number }>("SELECT at FROM chat_sweeps")?.at;
    connection.run("INSERT INTO chat_sweeps (id, at) VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at", at);
    // Nobody can tell a clock that was set from a machine that was off. Either way those who live get until the next sweep to show it,
    // and a wrong clock to be put right.
    if (previous === undefined || at < previous || at - previous > ttlMs / 2) return NOTHING;
    const newest = connection.get<{ at: number | null }>("SELECT max(last_seen_at) AS at FROM chat_sessions")?.at ?? at;
    const before = Math.min(at, newest) - ttlMs;
    const sessions = connection.all("DELETE FROM chat_sessions WHERE last_seen_at < ? RETURNING 1", before);
    const tombstones = connection.all("DELETE FROM chat_leave_tombstones WHERE left_at < ? RETURNING 1", before);
    connection.run("DELETE FROM chat_nudges WHERE at < ?", before);
    connection.run(
      "DELETE FROM chat_host_pids WHERE seen_at < ? AND session_id NOT IN (SELECT session_id FROM chat_sessions)",
      before,
    );
    return { sessions: sessions.length, tombstones: tombstones.length };
  });
}
