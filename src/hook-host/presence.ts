import { basename } from "node:path";
import { registerAutomatically } from "../chat/register.ts";
import type { Host, HostMode, NewSession } from "../core/session.ts";
import { topicFromTitle } from "../core/topic.ts";
import { checkoutOf } from "../platform/git.ts";
import { leftLine } from "../text/conversation.ts";
import type { HookContext } from "./context.ts";

/** What a conversation is in the directory. */
export type Presence =
  | { readonly kind: "here"; readonly name: string; readonly unread: number }
  | { readonly kind: "left" | "unregistered" };

/** What an event tells of the conversation's state; what is left out stays as it is. */
export interface Sign {
  readonly busyUntil?: number | null;
  readonly hostMode?: HostMode | null;
}

/** A conversation as its host describes it. */
export interface Conversation {
  readonly host: Host;
  readonly directory: string;
  readonly title: string | null;
  /** Takes over what it had under an older id; whether there was anything. */
  readonly takeOver?: () => Promise<boolean>;
}

/**
 * Makes sure that a conversation is in the directory: it keeps the row it has, takes over that of the conversation it continues, or is
 * registered. One that left stays out.
 */
export async function ensurePresent(context: HookContext, conversation: Conversation, sign: Sign): Promise<Presence> {
  const { chat, sessionId } = context;
  const present = () => chat.store.signOfLife(sessionId, { at: chat.clock.now(), ...sign });
  let row = await present();
  if (row === null && (await conversation.takeOver?.())) row = await present();
  let left = false;
  if (row === null && context.config.autoRegister) {
    left = (await registerAutomatically(chat, describe(context, conversation))).kind === "left";
    if (!left) row = await present();
  }
  const topic = topicOf(conversation);
  if (row !== null && topic !== null) await chat.store.setTopic(sessionId, topic);
  if (row !== null) return { kind: "here", ...row };
  return { kind: left ? "left" : "unregistered" };
}

/** What the model is told of its presence; null for nothing. `here` words it for a conversation that is in the directory. */
export function presenceLine(presence: Presence, here: (name: string, unread: number) => string): string | null {
  switch (presence.kind) {
    case "here":
      return here(presence.name, presence.unread);
    case "left":
      return leftLine();
    case "unregistered":
      return null;
  }
}

function describe({ sessionId, log }: HookContext, conversation: Conversation): NewSession {
  const { host, directory } = conversation;
  return {
    sessionId,
    host,
    hostMode: null,
    topic: topicOf(conversation),
    project: basename(directory) || null,
    directory,
    worktree: checkoutOf(directory, log),
  };
}

function topicOf({ title }: Conversation): string | null {
  return title === null ? null : topicFromTitle(title);
}
