import { basename } from "node:path";
import { SESSION_TTL_MS } from "../../core/liveness.ts";
import { SILENT_TURN_MS } from "../../core/wake.ts";
import { bellFile, makeBellFolder, removeBell, sweepBells } from "../../platform/bells.ts";
import { leftLine, promptLine, subagentDenial } from "../../text/conversation.ts";
import { midTurnNotice, wakePrompt } from "../../text/mail.ts";
import { mcpToolName } from "../../text/verbs.ts";
import type { HookContext } from "./context.ts";
import { enter, type Presence, runsHere } from "./enter.ts";
import type { HookPayload } from "./payload.ts";

/** What a hook says, and how it ends: 2 starts a turn of an idle session, with what it wrote to standard error. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

const SILENCE: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

/** The chat tools under any prefix that Claude Code gives an MCP server. */
const CHAT_TOOL = /^mcp__.*thatch__chat_/;

/** Does what an event asks for. Rejects when it cannot; the caller then says nothing. */
export async function answerHook(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  if (payload.agentId !== null) {
    // A sub-agent must neither use up nor overwrite what is its session's.
    return payload.event === "PreToolUse" && CHAT_TOOL.test(payload.toolName ?? "") ? denial() : SILENCE;
  }
  switch (payload.event) {
    case "SessionStart":
      return sessionStart(context, payload);
    case "UserPromptSubmit":
      return userPromptSubmit(context, payload);
    case "PostToolBatch":
    case "PostToolUse":
      return afterTools(context, payload);
    case "Stop":
      return stop(context, payload);
    case "Notification":
      if (payload.notificationType === "idle_prompt") await context.chat.store.setBusy(context.sessionId, null);
      return SILENCE;
    case "SessionEnd":
      return sessionEnd(context, payload);
    case "FileChanged":
      return bellRang(context, payload);
    default:
      return SILENCE;
  }
}

async function sessionStart(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  const { settings, chat, sessionId } = context;
  // A new process, or a new conversation in it: its server says so itself if there is one. A compaction happens in the middle of a turn.
  const sign = payload.source === "compact" ? {} : { busyUntil: null, hostMode: null };
  const presence = await enter(context, payload, sign);
  makeBellFolder(settings.bellFolder);
  sweepBells(settings.bellFolder, chat.clock.now(), SESSION_TTL_MS);
  return say("SessionStart", lineFor(presence), { watchPaths: [bellFile(settings.bellFolder, sessionId)] });
}

async function userPromptSubmit(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  const presence = await enter(context, payload, { busyUntil: context.chat.clock.now() + SILENT_TURN_MS });
  return say("UserPromptSubmit", lineFor(presence));
}

/** Runs after every batch of tool calls, so it reads two rows and, unless there is news or the turn is long, writes none. */
async function afterTools(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  const { chat, config, sessionId } = context;
  const now = chat.clock.now();
  const session = await chat.store.find(sessionId);
  if (session?.sessionId !== sessionId) return SILENCE;
  if ((session.busyUntil ?? 0) - now < SILENT_TURN_MS / 2) await chat.store.setBusy(sessionId, now + SILENT_TURN_MS);
  if (!config.midTurn) return SILENCE;
  const notice = await chat.store.notice(sessionId, now);
  return notice === null ? SILENCE : say(payload.event, midTurnNotice(notice, mcpToolName));
}

/** Reminds once of mail that nobody told of yet; that goes on with the turn, so it is a wake like any other. */
async function stop(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  const { chat, sessionId } = context;
  const now = chat.clock.now();
  await chat.store.signOfLife(sessionId, { at: now, busyUntil: null });
  if (payload.stopHookActive) return SILENCE;
  const take = await chat.store.takeWake(sessionId, now, chat.limits);
  if (take.kind !== "wake") return SILENCE;
  await chat.store.settleWake(sessionId, take, "started", now, chat.limits);
  await chat.store.setBusy(sessionId, now + SILENT_TURN_MS);
  return say("Stop", wakePrompt(take, mcpToolName));
}

async function sessionEnd(context: HookContext, payload: HookPayload): Promise<HookAnswer> {
  const { chat, settings, sessionId } = context;
  // After a clear the same process goes on with a new conversation, which takes over what this one has.
  const closed = payload.reason === "clear" ? {} : { hostMode: "closed" as const };
  if (await runsHere(context)) {
    await chat.store.signOfLife(sessionId, { at: chat.clock.now(), busyUntil: null, ...closed });
    removeBell(settings.bellFolder, sessionId);
  }
  return SILENCE;
}

/** The session's own server rang: it is idle and its budget allows a wake. Mail may have been read since, and a turn begun. */
async function bellRang({ chat, settings, sessionId }: HookContext, payload: HookPayload): Promise<HookAnswer> {
  // The bell of a conversation that this process ran before may still be watched, and it goes when that one is closed.
  if (
    payload.fileEvent === "unlink" ||
    basename(payload.filePath ?? "") !== basename(bellFile(settings.bellFolder, sessionId))
  )
    return SILENCE;
  const now = chat.clock.now();
  const session = await chat.store.find(sessionId);
  if (session?.sessionId !== sessionId || (session.busyUntil ?? 0) > now) return SILENCE;
  const mail = await chat.store.unread(sessionId);
  return mail === null ? SILENCE : { stdout: "", stderr: `${wakePrompt(mail, mcpToolName)}\n`, exitCode: 2 };
}

function lineFor(presence: Presence): string | null {
  switch (presence.kind) {
    case "here":
      return promptLine(presence.name, presence.unread);
    case "left":
      return leftLine();
    case "unregistered":
      return null;
  }
}

function say(event: string, additionalContext: string | null, more: Record<string, unknown> = {}): HookAnswer {
  const output = { hookEventName: event, ...(additionalContext === null ? {} : { additionalContext }), ...more };
  if (Object.keys(output).length === 1) return SILENCE;
  return { stdout: JSON.stringify({ hookSpecificOutput: output }), stderr: "", exitCode: 0 };
}

function denial(): HookAnswer {
  return say("PreToolUse", null, { permissionDecision: "deny", permissionDecisionReason: subagentDenial() });
}
