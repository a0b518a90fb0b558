import type { PruneCount } from "../../core/store.ts";
import type { Connection } from "./connection.ts";

/**
 * Sweeps what nobody has needed for `ttlMs`. A wake is swept with that age too: it is far longer than the window of any
 * budget. Messages and name counters stay for good.
 */
export function prune(connection: Connection, at: number, ttlMs: number): PruneCount {
  return connection.immediate(() => {
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
