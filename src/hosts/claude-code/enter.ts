import { ensurePresent, type Presence, type Sign } from "../../hook-host/presence.ts";
import { conversationId } from "../../platform/conversation-id.ts";
import type { ClaudeContext } from "./context.ts";
import type { HookPayload } from "./payload.ts";
import { predecessors } from "./predecessors.ts";

/** Makes sure that a conversation is in the directory and that its process is known to run it. */
export async function enter(context: ClaudeContext, payload: HookPayload, sign: Sign): Promise<Presence> {
  const { cwd: directory, title } = payload;
  const takeOver = () => takeOverFrom(context, payload);
  const presence = await ensurePresent(context, { host: "claude-code", directory, title, takeOver }, sign);
  await anchorHere(context);
  return presence;
}

/** Whether the process that called runs this conversation, as far as is known. */
export async function runsHere({ chat, host, sessionId }: ClaudeContext): Promise<boolean> {
  return host === null || (await chat.store.anchored(host)) === sessionId;
}

/** Takes over what the conversation had under an older id. */
async function takeOverFrom(context: ClaudeContext, payload: HookPayload): Promise<boolean> {
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
async function anchorHere({ chat, host, sessionId }: ClaudeContext): Promise<void> {
  if (host === null) return;
  const at = chat.clock.now();
  const before = await chat.store.anchored(host);
  if (before === sessionId) return;
  await chat.store.anchor(host, sessionId, at);
  if (before !== null) await chat.store.signOfLife(before, { at, busyUntil: null, hostMode: "closed" });
}
