import { basename } from "node:path";
import { SESSION_TTL_MS } from "../../core/liveness.ts";
import { type HookAnswer, SILENCE } from "../../hook-host/answer.ts";
import { presenceLine } from "../../hook-host/presence.ts";
import { noticeInTurn, takeReminder, turnEnded, turnMark } from "../../hook-host/turn.ts";
import { bellFile, makeBellFolder, removeBell, sweepBells } from "../../platform/bells.ts";
import { promptLine, subagentDenial } from "../../text/conversation.ts";
import { midTurnNotice, wakePrompt } from "../../text/mail.ts";
import { mcpToolName } from "../../text/verbs.ts";
import type { ClaudeContext } from "./context.ts";
import { enter, runsHere } from "./enter.ts";
import type { HookPayload } from "./payload.ts";

/** The chat tools under any prefix that Claude Code gives an MCP server. */
const CHAT_TOOL = /^mcp__.*thatch__chat_/;

/** Does what an event asks for. Rejects when it cannot; the caller then says nothing. */
export async function answerHook(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
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

async function sessionStart(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
  const { settings, chat, sessionId } = context;
  // A new process, or a new conversation in it: its server says so itself if there is one. A compaction happens in the middle of a turn.
  const sign = payload.source === "compact" ? {} : { busyUntil: null, hostMode: null };
  const presence = await enter(context, payload, sign);
  makeBellFolder(settings.bellFolder);
  sweepBells(settings.bellFolder, chat.clock.now(), SESSION_TTL_MS);
  return say("SessionStart", presenceLine(presence, promptLine), {
    watchPaths: [bellFile(settings.bellFolder, sessionId)],
  });
}

async function userPromptSubmit(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
  const presence = await enter(context, payload, { busyUntil: turnMark(context) });
  return say("UserPromptSubmit", presenceLine(presence, promptLine));
}

async function afterTools(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
  const notice = await noticeInTurn(context);
  return notice === null ? SILENCE : say(payload.event, midTurnNotice(notice, mcpToolName));
}

/** Reminds once of mail that nobody told of yet. */
async function stop(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
  await turnEnded(context);
  if (payload.stopHookActive) return SILENCE;
  const mail = await takeReminder(context);
  return mail === null ? SILENCE : say("Stop", wakePrompt(mail, mcpToolName));
}

async function sessionEnd(context: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
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
async function bellRang({ chat, settings, sessionId }: ClaudeContext, payload: HookPayload): Promise<HookAnswer> {
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

function say(event: string, additionalContext: string | null, more: Record<string, unknown> = {}): HookAnswer {
  const output = { hookEventName: event, ...(additionalContext === null ? {} : { additionalContext }), ...more };
  if (Object.keys(output).length === 1) return SILENCE;
  return { stdout: JSON.stringify({ hookSpecificOutput: output }), stderr: "", exitCode: 0 };
}

function denial(): HookAnswer {
  return say("PreToolUse", null, { permissionDecision: "deny", permissionDecisionReason: subagentDenial() });
}
