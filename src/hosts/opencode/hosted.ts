import type { TurnIdentity } from "./client.ts";
import type { Instance } from "./instance.ts";
import { Turn } from "./turn.ts";

/** A session this process has seen, and what of it decides delivery. */
export interface HostedSession {
  readonly id: string;
  /** The plugin instance that serves its directory; null between two instances. */
  instance: Instance | null;
  readonly directory: string;
  title: string;
  /** The name it is registered under; null when it is not, as far as this process knows. */
  name: string | null;
  readonly turn: Turn;
  compacting: boolean;
  /** Messages were taken back: a prompt now would delete them, and they could not be brought back any more. */
  reverted: boolean;
  /** Permissions and questions a person has yet to answer. */
  readonly awaiting: Set<string>;
  identity: TurnIdentity | null;
  /** It was re-hosted without a sign of life; it is dropped then. Null once it showed one. */
  graceUntil: number | null;
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
  /** For all of it, however often it is given. */
  readonly wholeMs: number;
}

/** The sessions of this process. Sub-agents' sessions are known by their parent and never hosted. */
export class HostedSessions {
  readonly #sessions = new Map<string, HostedSession>();
  readonly #instances = new Set<Instance>();
  /** Sessions whose person called the exit command, until the turn it started has ended; also those that are not hosted yet. */
  readonly #exiting = new Set<string>();
  readonly #parents = new Map<string, string>();
  readonly #fates = new Map<string, (fate: WakeFate) => void>();

  /** `turnLapsed` is called when a session's expected turn did not begin. */
  constructor(private readonly turnLapsed: (session: HostedSession) => void) {}

  get(id: string): HostedSession | undefined {
    return this.#sessions.get(id);
  }

  all(): HostedSession[] {
    return [...this.#sessions.values()];
  }

  /**
   * Hosts a session, or finds it again. What is known of a hosted one is newer than what opencode answered to a question: it stays.
   */
  host(
    session: { id: string; title: string; directory: string; reverted: boolean },
    instance: Instance,
  ): HostedSession {
    const known = this.#sessions.get(session.id);
    if (known) {
      known.instance ??= this.#serving(known.directory, instance);
      return known;
    }
    const hosted: HostedSession = {
      ...session,
      instance: this.#serving(session.directory, instance),
      name: null,
      turn: new Turn(() => this.turnLapsed(hosted)),
      compacting: false,
      awaiting: new Set(),
      identity: null,
      graceUntil: null,
      waking: null,
    };
    this.#sessions.set(session.id, hosted);
    return hosted;
  }

  drop(id: string): void {
    this.#sessions.get(id)?.turn.forget();
    this.#exiting.delete(id);
    this.#sessions.delete(id);
    this.#parents.delete(id);
  }

  /** Records that an instance serves its directory, and gives it the sessions there that nobody serves now. */
  adopt(instance: Instance): void {
    this.#instances.add(instance);
    for (const session of this.#sessions.values()) {
      if (session.instance === null && session.directory === instance.directory) session.instance = instance;
    }
  }

  /** Takes the sessions from an instance that is gone, for another of their directory, else for the next one. */
  orphan(instance: Instance): void {
    this.#instances.delete(instance);
    for (const session of this.#sessions.values()) {
      if (session.instance === instance) session.instance = this.#serving(session.directory, null);
    }
  }

  /** Records that this instance told of the session. One that is gone already, and tells late, changes nothing. */
  servedBy(session: HostedSession, instance: Instance): void {
    if (this.#instances.has(instance)) session.instance = instance;
  }

  /** The given instance if it is not gone, else another that serves the directory. */
  #serving(directory: string, instance: Instance | null): Instance | null {
    if (instance !== null && this.#instances.has(instance)) return instance;
    return [...this.#instances].find((other) => other.directory === directory) ?? null;
  }

  beginExit(id: string): void {
    this.#exiting.add(id);
  }

  /** Whether the person called the exit command, which is asked once. */
  endExit(id: string): boolean {
    return this.#exiting.delete(id);
  }

  markChild(id: string, parentId: string): void {
    this.#parents.set(id, parentId);
  }

  /** The session that started this sub-agent's session, when it is known to be one. */
  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  /** Whether a prompt may be given to it now: no turn runs or is about to, nobody's answer is waited for, nothing would be lost. */
  takesPrompt(session: HostedSession): boolean {
    const idle = session.turn.state === "none" && !session.compacting && session.awaiting.size === 0;
    return idle && session.instance !== null && !session.reverted;
  }

  /** Records that a turn runs; false when one was running already. */
  turnStarted(session: HostedSession): boolean {
    session.graceUntil = null;
    return session.turn.began();
  }

  /** Records that no turn runs; false when none was running. */
  turnEnded(session: HostedSession): boolean {
    session.graceUntil = null;
    session.compacting = false;
    session.awaiting.clear();
    const ended = session.turn.ended();
    // opencode may take a prompt at the very end of a turn and never answer it.
    if (ended) this.#fates.get(session.id)?.("missed");
    return ended;
  }

  /** Records that the session's model began an answer. */
  answerBegan(session: HostedSession, messageId: string): void {
    if (!session.turn.answerBegan(messageId)) return;
    // An answer that was begun before the wake does not know of it.
    const wake = session.waking?.messageId;
    if (wake && messageId > wake) this.#fates.get(session.id)?.("answered");
  }

  /** Records the id of the message that a wake became. */
  wakeStored(session: HostedSession, text: string, messageId: string): void {
    if (session.waking?.text === text) session.waking.messageId = messageId;
  }

  /** Has a wake of this text given by `prompt`, and resolves to what became of it, by `endsAt` of `performance.now()` at the latest. */
  async fateOfWake(
    session: HostedSession,
    text: string,
    prompt: () => Promise<void>,
    patience: WakePatience,
    endsAt: number,
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
        if (session.turn.state !== "running") fate.resolve("missed");
      });
      after(Math.max(0, Math.min(patience.answerMs, endsAt - performance.now())), () => fate.resolve("silent"));
      return await fate.promise;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#fates.delete(session.id);
      session.waking = null;
    }
  }
}
