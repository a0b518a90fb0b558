import { basename } from "node:path";
import type { Chat } from "../../chat/chat.ts";
import { registerAutomatically } from "../../chat/register.ts";
import type { Log } from "../../core/log.ts";
import type { HostMode, NewSession } from "../../core/session.ts";
import { topicFromTitle } from "../../core/topic.ts";
import type { ChatConfig } from "../../platform/config.ts";
import { checkoutOf } from "../../platform/git.ts";
import type { HostedSession, HostedSessions } from "./hosted.ts";
import type { Instance } from "./instance.ts";

/** Finds out about sessions, and registers those that may have a mailbox. */
export class Registrar {
  readonly #lookups = new Map<string, Promise<HostedSession | null>>();
  readonly #registrations = new Map<string, Promise<void>>();

  constructor(
    private readonly chat: Chat,
    private readonly hosted: HostedSessions,
    private readonly mode: HostMode,
    private readonly log: Log,
  ) {}

  /** The hosted session with this id; null for a sub-agent's, and for one opencode does not know. */
  async resolve(instance: Instance, id: string): Promise<HostedSession | null> {
    const known = this.hosted.get(id);
    if (known) {
      this.hosted.servedBy(known, instance);
      return known;
    }
    if (this.hosted.parentOf(id) !== null) return null;
    const running = this.#lookups.get(id);
    if (running) return running;
    const lookup = this.#lookUp(instance, id).finally(() => this.#lookups.delete(id));
    this.#lookups.set(id, lookup);
    return lookup;
  }

  async #lookUp(instance: Instance, id: string): Promise<HostedSession | null> {
    const found = await instance.client.session(id);
    if (found === null) return null;
    if (found.parentId !== null) {
      this.hosted.markChild(id, found.parentId);
      return null;
    }
    return this.hosted.host({ ...found, directory: instance.directory }, instance);
  }

  /** The hosted session; one that is being looked up is waited for, as what is heard of it meanwhile is newer than the answer. */
  async known(id: string): Promise<HostedSession | null> {
    return this.hosted.get(id) ?? (await this.#lookups.get(id)) ?? null;
  }

  /**
   * Registers a session by itself, or takes back the row and name it has. With automatic registration off only a row that
   * is there is taken back. Calls for one session while one is under way share it.
   */
  ensure(session: HostedSession, config: ChatConfig): Promise<void> {
    const running = this.#registrations.get(session.id);
    if (running) return running;
    const registration = this.#register(session, config).finally(() => this.#registrations.delete(session.id));
    this.#registrations.set(session.id, registration);
    return registration;
  }

  async #register(session: HostedSession, config: ChatConfig): Promise<void> {
    if (!config.autoRegister) {
      const row = await this.chat.store.find(session.id);
      if (row?.sessionId !== session.id) return;
    }
    const outcome = await registerAutomatically(this.chat, this.describe(session));
    session.name = outcome.kind === "left" ? null : outcome.session.name;
  }

  /** What is to be registered of a session. */
  describe(session: HostedSession): NewSession {
    return {
      sessionId: session.id,
      host: "opencode",
      hostMode: this.mode,
      topic: topicFromTitle(session.title),
      project: session.instance?.project ?? basename(session.directory),
      directory: session.directory,
      worktree: checkoutOf(session.directory, this.log),
    };
  }

  /** Takes over a title, and makes it the topic of a registered session. */
  async retitle(session: HostedSession, title: string): Promise<void> {
    if (title === session.title) return;
    session.title = title;
    const topic = topicFromTitle(title);
    if (topic !== null && session.name !== null) await this.chat.store.setTopic(session.id, topic);
  }
}
