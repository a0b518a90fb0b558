import type { PluginInput } from "@opencode-ai/plugin";
import type { Message, Part, Session } from "@opencode-ai/sdk";
import type { MessagePart } from "../../core/echo-parts.ts";
import { withoutHiding } from "./hidden-tools.ts";

/** What opencode knows of one of its sessions. */
export interface HostSession {
  readonly id: string;
  /** Present for a sub-agent's session. */
  readonly parentId: string | null;
  readonly title: string;
  readonly directory: string;
  /** The person took back messages and may yet bring them back; the next prompt deletes them for good. */
  readonly reverted: boolean;
}

/**
 * What decides how a turn runs, taken from the session's last message by its user. A message that leaves any of it out moves the
 * session to opencode's defaults, so whatever thatch adds to a session carries all of it.
 */
export interface TurnIdentity {
  readonly agent: string;
  readonly model: { readonly providerID: string; readonly modelID: string };
  readonly variant?: string;
  readonly system?: string;
  readonly tools?: Record<string, boolean>;
}

/** A text part of a prompt. `synthetic`: only the model gets it. `ignored`: only the person sees it. */
export interface PromptPart {
  readonly type: "text";
  readonly text: string;
  readonly synthetic?: boolean;
  readonly ignored?: boolean;
}

/** A message of a session's transcript, with what thatch looks at. */
export interface TranscriptMessage {
  readonly role: "user" | "assistant";
  readonly identity: TurnIdentity | null;
  readonly parts: readonly MessagePart[];
}

/** opencode gave no answer, in time or at all: whether it did what it was asked to is not known. */
export class HostSilent extends Error {
  override readonly name = "HostSilent";
}

/**
 * opencode's own API, as far as thatch needs it. Every call rejects: with `HostSilent` when there is no answer within `CALL_TIMEOUT_MS`,
 * with another error when opencode refuses it.
 */
export interface HostClient {
  /** Null when there is no such session. */
  session(id: string): Promise<HostSession | null>;
  /** The session that `--continue` opens: the one last updated that is no sub-agent's. */
  latestSession(): Promise<HostSession | null>;
  /** Whether opencode runs a turn of it now. */
  isBusy(id: string): Promise<boolean>;
  /** The newest `limit` messages, or all of them for null; oldest first. */
  transcript(id: string, limit: number | null): Promise<TranscriptMessage[]>;
  /** Adds a message; unless `noReply`, a turn starts or the running one takes it up. */
  prompt(id: string, identity: TurnIdentity, parts: readonly PromptPart[], noReply: boolean): Promise<void>;
  toast(message: string, variant: "info" | "warning"): Promise<void>;
  /** Writes to opencode's own log. */
  warn(message: string): Promise<void>;
  /** Ends the terminal that shows this process's sessions. */
  exitTerminal(): Promise<void>;
}

/** opencode answers in milliseconds; a request it takes at a bad moment, such as before its server listens, hangs for ever. */
export const CALL_TIMEOUT_MS = 5_000;

/** The client of one plugin instance, which acts on that instance's directory. */
export function hostClient(sdk: PluginInput["client"]): HostClient {
  return {
    async session(id) {
      const answer = await timed("session.get", sdk.session.get({ path: { id }, ...signal() }));
      if (answer.response?.status === 404) return null;
      return toHostSession(dataOf("session.get", answer));
    },
    async latestSession() {
      const sessions = dataOf("session.list", await timed("session.list", sdk.session.list(signal())));
      const roots = sessions.filter((session) => !session.parentID).sort((a, b) => b.time.updated - a.time.updated);
      return roots[0] ? toHostSession(roots[0]) : null;
    },
    async isBusy(id) {
      const statuses = dataOf("session.status", await timed("session.status", sdk.session.status(signal())));
      const status = statuses[id];
      return status !== undefined && status.type !== "idle";
    },
    async transcript(id, limit) {
      const query = limit === null ? {} : { limit };
      const call = sdk.session.messages({ path: { id }, query, ...signal() });
      return dataOf("session.messages", await timed("session.messages", call)).map(toTranscriptMessage);
    },
    async prompt(id, identity, parts, noReply) {
      const body = { ...identity, noReply, parts: [...parts] };
      const answer = await timed("session.promptAsync", sdk.session.promptAsync({ path: { id }, body, ...signal() }));
      if (answer.error !== undefined) throw refused("session.promptAsync", answer.error);
    },
    async toast(message, variant) {
      dataOf(
        "tui.showToast",
        await timed("tui.showToast", sdk.tui.showToast({ body: { title: "thatch", message, variant }, ...signal() })),
      );
    },
    async warn(message) {
      dataOf(
        "app.log",
        await timed("app.log", sdk.app.log({ body: { service: "thatch", level: "warn", message }, ...signal() })),
      );
    },
    async exitTerminal() {
      const body = { type: "tui.command.execute" as const, properties: { command: "app.exit" as const } };
      dataOf("tui.publish", await timed("tui.publish", sdk.tui.publish({ body, ...signal() })));
    },
  };
}

/** The identity of a user message as opencode stores it; its published type lacks `variant`. */
export function identityOf(message: {
  readonly agent: string;
  readonly model: { readonly providerID: string; readonly modelID: string; readonly variant?: string };
  readonly variant?: string;
  readonly system?: string;
  readonly tools?: Record<string, boolean>;
}): TurnIdentity {
  const variant = message.model.variant ?? message.variant;
  const tools = withoutHiding(message.tools);
  return {
    agent: message.agent,
    model: { providerID: message.model.providerID, modelID: message.model.modelID },
    ...(variant === undefined ? {} : { variant }),
    ...(message.system === undefined ? {} : { system: message.system }),
    ...(tools === undefined ? {} : { tools }),
  };
}

function toHostSession(session: Session): HostSession {
  const { id, parentID, title, directory, revert } = session;
  return { id, parentId: parentID ?? null, title, directory, reverted: revert !== undefined };
}

function toTranscriptMessage(message: { info: Message; parts: Part[] }): TranscriptMessage {
  return {
    role: message.info.role,
    identity: message.info.role === "user" ? identityOf(message.info) : null,
    parts: message.parts,
  };
}

function signal(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) };
}

/** A promise that also ends when opencode ignores the abort signal. */
async function timed<T>(call: string, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HostSilent(`opencode did not answer ${call} within ${CALL_TIMEOUT_MS} ms`)),
      CALL_TIMEOUT_MS,
    );
    timer.unref?.();
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    // A refusal is an answer, and no rejection.
    if (error instanceof HostSilent) throw error;
    throw new HostSilent(`opencode gave no answer to ${call}: ${String(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function dataOf<T>(call: string, answer: { data?: T; error?: unknown }): NonNullable<T> {
  if (answer.error !== undefined || answer.data === undefined || answer.data === null)
    throw refused(call, answer.error);
  return answer.data;
}

function refused(call: string, error: unknown): Error {
  return new Error(`opencode refused ${call}: ${JSON.stringify(error) ?? "no answer"}`);
}
