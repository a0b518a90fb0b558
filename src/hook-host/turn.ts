import type { Notice } from "../core/store.ts";
import { SILENT_TURN_MS } from "../core/wake.ts";
import type { HookContext } from "./context.ts";

/** Until when an event of a running turn marks its session busy. */
export function turnMark({ chat }: HookContext): number {
  return chat.clock.now() + SILENT_TURN_MS;
}

/**
 * New mail that a running turn is to hear of, once a message; null when there is none. Called after every tool, so it reads two rows
 * and, unless there is news or the turn is long, writes none.
 */
export async function noticeInTurn({ chat, config, sessionId }: HookContext): Promise<Notice | null> {
  const now = chat.clock.now();
  const session = await chat.store.find(sessionId);
  if (session?.sessionId !== sessionId) return null;
  if ((session.busyUntil ?? 0) - now < SILENT_TURN_MS / 2) await chat.store.setBusy(sessionId, now + SILENT_TURN_MS);
  return config.midTurn ? chat.store.notice(sessionId, now) : null;
}

/** Says that the turn ended. */
export async function turnEnded({ chat, sessionId }: HookContext): Promise<void> {
  await chat.store.signOfLife(sessionId, { at: chat.clock.now(), busyUntil: null });
}

/** Mail that nobody told of yet, which the turn that just ended goes on for; null when there is none. It is a wake like any other. */
export async function takeReminder({ chat, sessionId }: HookContext): Promise<Notice | null> {
  const now = chat.clock.now();
  const take = await chat.store.takeWake(sessionId, now, chat.limits);
  if (take.kind !== "wake") return null;
  await chat.store.settleWake(sessionId, take, "started", now, chat.limits);
  await chat.store.setBusy(sessionId, now + SILENT_TURN_MS);
  return take;
}
