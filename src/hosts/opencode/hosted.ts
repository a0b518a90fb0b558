import type { TurnIdentity } from "./client.ts";
import type { Instance } from "./instance.ts";

/** A session this process has seen, and what of it decides delivery. */
export interface HostedSession {
  readonly id: string;
  /** The plugin instance that serves its directory; null between two instances. */
  instance: Instance | null;
  readonly directory: string;
  title: string;
  /** The name it is registered under; null when it is not, as far as this process knows. */
  name: string | null;
  /** A turn runs. */
  busy: boolean;
  compacting: boolean;
  /** Permissions and questions a person has yet to answer. */
  readonly awaiting: Set<string>;
  identity: TurnIdentity | null;
  /** It was re-hosted without a sign of life; it is dropped then. Null once it showed one. */
  graceUntil: number | null;
  /** The person called the exit command and the turn it started has not ended. */
  exiting: boolean;
  /** Turns seen to start. */
  turns: number;
}

/** The sessions of this process. Sub-agents' sessions are known by their parent and never hosted. */
export class HostedSessions {
  readonly #sessions = new Map<string, HostedSession>();
  readonly #parents = new Map<string, string>();
  readonly #turnWaiters = new Map<string, Set<() => void>>();

  get(id: string): HostedSession | undefined {
    return this.#sessions.get(id);
  }

  all(): HostedSession[] {
    return [...this.#sessions.values()];
  }

  /** Hosts a session, or finds it again under the instance that serves it now. */
  host(session: { id: string; title: string; directory: string }, instance: Instance): HostedSession {
    const known = this.#sessions.get(session.id);
    if (known) {
      known.instance = instance;
      return known;
    }
    const hosted: HostedSession = {
      ...session,
      instance,
      name: null,
      busy: false,
      compacting: false,
      awaiting: new Set(),
      identity: null,
      graceUntil: null,
      exiting: false,
      turns: 0,
    };
    this.#sessions.set(session.id, hosted);
    return hosted;
  }

  drop(id: string): void {
    this.#sessions.delete(id);
    this.#parents.delete(id);
  }

  /** Leaves the sessions of an instance that is gone to the next one for its directory. */
  orphan(instance: Instance): void {
    for (const session of this.#sessions.values()) if (session.instance === instance) session.instance = null;
  }

  /** Gives the sessions nobody serves now to the instance that serves their directory. */
  adopt(instance: Instance): void {
    for (const session of this.#sessions.values()) {
      if (session.instance === null && session.directory === instance.directory) session.instance = instance;
    }
  }

  markChild(id: string, parentId: string): void {
    this.#parents.set(id, parentId);
  }

  /** The session that started this sub-agent's session, when it is known to be one. */
  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  /** Records that a turn runs; false when one was running already. */
  turnStarted(session: HostedSession): boolean {
    session.graceUntil = null;
    if (session.busy) return false;
    session.busy = true;
    session.turns += 1;
    for (const wake of this.#turnWaiters.get(session.id) ?? []) wake();
    return true;
  }

  /** Records that no turn runs; false when none was running. */
  turnEnded(session: HostedSession): boolean {
    session.graceUntil = null;
    session.compacting = false;
    session.awaiting.clear();
    const ended = session.busy;
    session.busy = false;
    return ended;
  }

  /** Resolves true once a turn runs that `turnsBefore` does not count, or false after `timeoutMs` without one. */
  async awaitTurn(session: HostedSession, turnsBefore: number, timeoutMs: number): Promise<boolean> {
    if (session.busy || session.turns > turnsBefore) return true;
    const waiters = this.#turnWaiters.get(session.id) ?? new Set();
    this.#turnWaiters.set(session.id, waiters);
    return new Promise((resolve) => {
      const finish = (started: boolean) => {
        clearTimeout(timer);
        waiters.delete(wake);
        if (waiters.size === 0) this.#turnWaiters.delete(session.id);
        resolve(started);
      };
      const wake = () => finish(true);
      const timer = setTimeout(() => finish(false), timeoutMs);
      timer.unref?.();
      waiters.add(wake);
    });
  }
}
