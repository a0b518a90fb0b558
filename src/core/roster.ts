import { isStale } from "./liveness.ts";
import type { Session } from "./session.ts";

/** How mail reaches a session: `wakes` it when idle, is seen at its next `turn`, or only when it `polls`. */
export type Reach = "wakes" | "turn" | "polls";

/**
 * How mail reaches this session while it is not stale. A process of its own wakes it; one of opencode that `run`s ends with its
 * turn. Hooks show it mail at its turns. Any other MCP client can do nothing by itself.
 */
export function reachOf({ host, hostMode }: Pick<Session, "host" | "hostMode">): Reach {
  switch (host) {
    case "opencode":
      return hostMode === "run" ? "turn" : "wakes";
    case "claude-code":
      return hostMode === "served" ? "wakes" : "turn";
    case "cursor":
      return "turn";
    case "mcp":
      return "polls";
  }
}

/** Roster order: projects by alphabet, without a project last; within one, the most recently seen first. */
export function sortRoster<T extends Session>(rows: readonly T[]): T[] {
  return [...rows].sort(
    (a, b) => compareProjects(a.project, b.project) || b.lastSeenAt - a.lastSeenAt || compare(a.name, b.name),
  );
}

/** Splits the roster by the one rule of staleness, each part in roster order. */
export function groupRoster<T extends Session>(
  rows: readonly T[],
  now: number,
  pollMs: number,
): { active: T[]; stale: T[] } {
  const sorted = sortRoster(rows);
  return {
    active: sorted.filter((row) => !isStale(row, now, pollMs)),
    stale: sorted.filter((row) => isStale(row, now, pollMs)),
  };
}

function compareProjects(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b);
}

/** By code unit: the order must not depend on the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
