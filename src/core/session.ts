/** The program a session runs in. */
export type Host = "opencode" | "claude-code" | "cursor" | "mcp";

/**
 * How a session is hosted. opencode's process: `tui` (one terminal), `run` (one prompt, then it exits), `serve` (it outlives the
 * terminals attached to it). Other hosts: `served` (an MCP server of its own runs beside it and beats for it), `closed` (its
 * conversation ended, and can be resumed), null (hooks only: nothing runs between its turns).
 */
export type HostMode = "tui" | "run" | "serve" | "served" | "closed";

/** What kind of git checkout a session works in: the project's own folder, or a linked worktree. */
export type CheckoutKind = "root" | "worktree";

/** One row of the directory. Times are integer milliseconds since the epoch. */
export interface Session {
  readonly sessionId: string;
  /** Assigned once, never renamed and never given to another session. */
  readonly name: string;
  readonly host: Host;
  readonly hostMode: HostMode | null;
  /** What the session works on, from its title; null until it has a real title. */
  readonly topic: string | null;
  readonly project: string | null;
  readonly directory: string;
  /** Captured once, at registration; null where no `.git` was found. */
  readonly worktree: CheckoutKind | null;
  readonly registeredAt: number;
  /** The last heartbeat of a process that hosts it. */
  readonly lastSeenAt: number;
  /** Some process runs a turn of this session until then at least; null when none said so. */
  readonly busyUntil: number | null;
}

/** What a host knows of a session that is to be registered. */
export type NewSession = Omit<Session, "name" | "registeredAt" | "lastSeenAt" | "busyUntil">;

/** A directory row together with the number of its unread messages. */
export interface RosterRow extends Session {
  readonly unread: number;
}
