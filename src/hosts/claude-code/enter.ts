import { basename } from "node:path";
import { registerAutomatically } from "../../chat/register.ts";
import { checkoutKind } from "../../core/checkout.ts";
import type { HostMode } from "../../core/session.ts";
import { topicFromTitle } from "../../core/topic.ts";
import { conversationId } from "../../platform/conversation-id.ts";
import { findDotGit } from "../../platform/git.ts";
import type { HookContext } from "./context.ts";
import type { HookPayload } from "./payload.ts";
import { predecessors } from "./predecessors.ts";

/** What a conversation is in the directory. */
export type Presence =
  | { readonly kind: "here"; readonly name: string; readonly unread: number }
  | { readonly kind: "left" | "unregistered" };

interface Sign {
  readonly busyUntil?: number | null;
  readonly hostMode?: HostMode | null;
}

/**
 * Makes sure that a conversation is in the directory and that its process is known to run it: it keeps the row it has, takes over that
 * of the conversation it continues, or is registered. One that left stays out.
 */
export async function enter(context: HookContext, payload: HookPayload, sign: Sign): Promise<Presence> {
  const { chat, sessionId } = context;
  const present = () => chat.store.signOfLife(sessionId, { at: chat.clock.now(), ...sign });
  let row = await present();
  if (row === null && (await takeOver(context, payload))) row = await present();
  let left = false;
  if (row === null && context.config.autoRegister) {
    left = (await registerAutomatically(chat, describe(context, payload))).kind === "left";
    if (!left) row = await present();
  }
  const topic = payload.title === null ? null : topicFromTitle(payload.title);
  if (row !== null && topic !== null) await chat.store.setTopic(sessionId, topic);
  await anchorHere(context);
  if (row !== null) return { kind: "here", ...row };
  return { kind: left ? "left" : "unregistered" };
}

/** Whether the process that called runs this conversation, as far as is known. */
export async function runsHere({ chat, host, sessionId }: HookContext): Promise<boolean> {
  return host === null || (await chat.store.anchored(host)) === sessionId;
}

/** Takes over what the conversation had under an older id. */
async function takeOver(context: HookContext, payload: HookPayload): Promise<boolean> {
  const { chat, host, sessionId, log } = context;
  if (payload.source === "startup") return false;
  if (payload.source === "clear") {
    const before = host === null ? null : await chat.store.anchored(host);
    return before !== null && chat.store.continueSession(before, sessionId);
  }
  if (payload.transcriptPath === null) return false;
  for (const older of predecessors(payload.sessionId, payload.transcriptPath, log)) {
    if (await chat.store.continueSession(conversationId(older), sessionId)) return true;
  }
  return false;
}

/** A process runs one conversation at a time: the one it ran before is closed unless this one is its continuation. */
async function anchorHere({ chat, host, sessionId }: HookContext): Promise<void> {
  if (host === null) return;
  const at = chat.clock.now();
  const before = await chat.store.anchored(host);
  if (before === sessionId) return;
  await chat.store.anchor(host, sessionId, at);
  if (before !== null) await chat.store.signOfLife(before, { at, busyUntil: null, hostMode: "closed" });
}

function describe({ sessionId, log }: HookContext, { cwd, title }: HookPayload) {
  let dotGit: ReturnType<typeof findDotGit> = null;
  try {
    dotGit = findDotGit(cwd);
  } catch (error) {
    log("hook", `${cwd} cannot be looked at for .git; its checkout kind stays unknown`, error);
  }
  return {
    sessionId,
    host: "claude-code",
    hostMode: null,
    topic: title === null ? null : topicFromTitle(title),
    project: basename(cwd) || null,
    directory: cwd,
    worktree: checkoutKind(dotGit),
  } as const;
}
