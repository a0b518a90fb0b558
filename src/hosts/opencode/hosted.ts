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
  /** Messages were taken back: a prompt now would delete them, and they could not be brought back any more. */
  reverted: boolean;
  /** Permissions and questions a person has yet to answer. */
  readonly awaiting: Set<string>;
  identity: TurnIdentity | null;
  /** It was re-hosted without a sign of life; it is dropped then. Null once it showed one. */
  graceUntil: number | null;
  /** The person called the exit command and the turn it started has not ended. */
  exiting: boolean;
  /** The newest answer its model began; ids of messages grow with time. */
  newestAnswer: string;
  /** The wake that is being given to it: its text, and the id of its message once opencode has made one. */
  waking: { readonly text: string; messageId: string | null } | null;
}

/** What became of a wake: its model began to answer; a turn ended without having seen it, or none began; or nothing happened for too long. */
export type WakeFate = "answered" | "missed" | "silent";

/** How long a wake is waited for, in ms. */
export interface WakePatience {
  /** Until a turn runs. */
  readonly turnMs: number;
  /** Until the model began to answer in it. */
  readonly answerMs: number;
}

/** The sessions of this process. Sub-agents' sessions are known by their parent and never hosted. */
export class HostedSessions {
  readonly #sessions = new Map<string, HostedSession>();
  readonly #parents = new Map<string, string>();
  readonly #fates = new Map<string, (fate: WakeFate) => void>();

  get(id: string): HostedSession | undefined {
    return this.#sessions.get(id);
  }

  all(): HostedSession[] {
    return [...this.#sessions.values()];
  }

  /** Hosts a session, or finds it again under the instance that serves it now. */
  host(
    session: { id: string; title: string; directory: string; reverted: boolean },
    instance: Instance,
  ): HostedSession {
    const known = this.#sessions.get(session.id);
    if (known) {
      known.instance = instance;
      known.reverted = session.reverted;
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
      newestAnswer: "",
      waking: null,
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
    return true;
  }

  /** Records that no turn runs; false when none was running. */
  turnEnded(session: HostedSession): boolean {
    session.graceUntil = null;
    session.compacting = false;
    session.awaiting.clear();
    const ended = session.busy;
    session.busy = false;
    // opencode may take a prompt at the very end of a turn and never answer it.
    if (ended) this.#fates.get(session.id)?.("missed");
    return ended;
  }

  /** Records that the session's model began an answer. */
  answerBegan(session: HostedSession, messageId: string): void {
    if (messageId <= session.newestAnswer) return;
    session.newestAnswer = messageId;
    // An answer that was begun before the wake does not know of it.
    if (messageId > (session.waking?.messageId ?? "")) this.#fates.get(session.id)?.("answered");
  }

  /** Records the id of the message that a wake became. */
  wakeStored(session: HostedSession, text: string, messageId: string): void {
    if (session.waking?.text === text) session.waking.messageId = messageId;
  }

  /** Has a wake of this text given by `prompt`, and resolves to what became of it, once the patience is at its end at the latest. */
  async fateOfWake(
    session: HostedSession,
    text: string,
    prompt: () => Promise<void>,
    patience: WakePatience,
  ): Promise<WakeFate> {
    session.waking = { text, messageId: null };
    const fate = Promise.withResolvers<WakeFate>();
    this.#fates.set(session.id, fate.resolve);
    const timers: ReturnType<typeof setTimeout>[] = [];
    const after = (ms: number, task: () => void) => {
      const timer = setTimeout(task, ms);
      timer.unref?.();
      timers.push(timer);
    };
    try {
      await prompt();
      // opencode says that a session is idle a moment before its turn lets go: a prompt just then is taken, and no turn begins.
      after(patience.turnMs, () => {
        if (!session.busy) fate.resolve("missed");
      });
      after(patience.answerMs, () => fate.resolve("silent"));
      return await fate.promise;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#fates.delete(session.id);
      session.waking = null;
    }
  }
}
