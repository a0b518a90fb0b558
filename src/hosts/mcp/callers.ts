import { basename } from "node:path";
import type { Chat } from "../../chat/chat.ts";
import { isStale } from "../../core/liveness.ts";
import type { Log } from "../../core/log.ts";
import type { Host, NewSession } from "../../core/session.ts";
import { checkoutOf } from "../../platform/git.ts";
import { CLAIM_HOST_BACKED, CLAIM_RUNNING, claimRefused, claimTaken, claimUnknown } from "../../text/mcp.ts";
import type { Anchors } from "./anchors.ts";
import { sessionOfMeta } from "./meta.ts";

/** Who a call comes from, or why it is refused. */
export type Caller =
  | { readonly kind: "session"; readonly sessionId: string; describe(): Promise<NewSession> }
  | { readonly kind: "refused"; readonly reason: string };

interface Call {
  /** The name that the model gave for itself. */
  readonly claimed: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

type Hosted = Pick<NewSession, "host" | "hostMode">;
const SERVED: Hosted = { host: "mcp", hostMode: "served" };
/** Hosts that cannot say which conversation calls: only their sessions may be claimed by name. */
const CLAIMABLE: readonly Host[] = ["mcp", "cursor"];

export interface CallersOptions {
  readonly chat: Chat;
  readonly anchors: Anchors;
  readonly directory: string;
  readonly log: Log;
}

/**
 * Finds out which session calls. What the host says comes first, then what the operating system says of the processes around this
 * one, then what the model claims; a claim that contradicts what is known is refused.
 */
export class Callers {
  /**
   * The one conversation that only this server knows of, as a client starts one for each: the last that the client stated or the model
   * claimed, else one of its own.
   */
  #own: string | null = null;

  constructor(private readonly options: CallersOptions) {}

  /** The conversation that nothing but this server keeps alive; null when there is none. */
  get own(): string | null {
    return this.#own;
  }

  /** The session this server speaks for without being called, as far as it is known now. */
  async current(): Promise<{ readonly sessionId: string; readonly host: Host } | null> {
    const anchored = await this.options.anchors.find();
    if (anchored !== null) return { sessionId: anchored, host: "claude-code" };
    return this.#own === null ? null : { sessionId: this.#own, host: "mcp" };
  }

  async resolve({ claimed, meta }: Call): Promise<Caller> {
    const stated = sessionOfMeta(meta);
    if (stated !== null) return this.#asStated(stated, claimed);
    const anchored = await this.options.anchors.find();
    if (anchored !== null) return this.#asKnown(anchored, claimed, { host: "claude-code", hostMode: "served" });
    if (claimed !== null) return this.#asClaimed(claimed);
    // A new conversation gets an identity when it joins; before that its calls are told that they are not registered.
    this.#own ??= `mcp_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
    return this.#session(this.#own, SERVED);
  }

  async #asStated(sessionId: string, claimed: string | null): Promise<Caller> {
    const { store, clock } = this.options.chat;
    const found = await store.find(sessionId);
    const row = found?.sessionId === sessionId ? found : null;
    // One that its host's own plugin or hooks registered is theirs to keep alive, and stays what it is.
    if (row !== null && row.host !== "mcp") return this.#asKnown(sessionId, claimed, row);
    this.#own = sessionId;
    // A conversation that its last server closed goes on.
    if (row?.hostMode === "closed") await store.signOfLife(sessionId, { at: clock.now(), hostMode: "served" });
    return this.#asKnown(sessionId, claimed, SERVED);
  }

  async #asKnown(sessionId: string, claimed: string | null, hosted: Hosted): Promise<Caller> {
    if (claimed !== null) {
      const { store } = this.options.chat;
      const [claim, actual] = await Promise.all([store.find(claimed), store.find(sessionId)]);
      if (claim?.sessionId !== sessionId)
        return { kind: "refused", reason: claimRefused(claimed, actual?.name ?? null) };
    }
    return this.#session(sessionId, hosted);
  }

  async #asClaimed(claimed: string): Promise<Caller> {
    const { chat } = this.options;
    const row = await chat.store.find(claimed);
    if (row === null) return { kind: "refused", reason: claimUnknown(claimed) };
    if (!CLAIMABLE.includes(row.host)) return { kind: "refused", reason: claimTaken(row.name, CLAIM_HOST_BACKED) };
    if (row.host === "mcp") {
      const isFresh = !isStale(row, chat.clock.now(), chat.pollMs);
      if (row.sessionId !== this.#own && isFresh)
        return { kind: "refused", reason: claimTaken(row.name, CLAIM_RUNNING) };
      this.#own = row.sessionId;
      await chat.store.signOfLife(row.sessionId, { at: chat.clock.now(), hostMode: "served" });
    }
    return this.#session(row.sessionId, { host: row.host, hostMode: "served" });
  }

  #session(sessionId: string, hosted: Hosted): Caller {
    return { kind: "session", sessionId, describe: async () => this.#describe(sessionId, hosted) };
  }

  #describe(sessionId: string, { host, hostMode }: Hosted): NewSession {
    const { directory, log } = this.options;
    return {
      sessionId,
      host,
      hostMode,
      topic: null,
      project: basename(directory) || null,
      directory,
      worktree: checkoutOf(directory, log),
    };
  }
}
