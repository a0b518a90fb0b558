import { hostProcess } from "../../core/process.ts";
import { SILENCE } from "../../hook-host/answer.ts";
import { type Hook, runHook } from "../../hook-host/run.ts";
import { conversationId } from "../../platform/conversation-id.ts";
import { ancestorsFrom } from "../../platform/processes.ts";
import { answerHook } from "./hook.ts";
import { settingsHaveHooks } from "./own-hooks.ts";
import { parsePayload } from "./payload.ts";

/** The answer to one event of Claude Code; `how` holds `--plugin` for a hook of its plugin. */
export const runClaudeHook: Hook = async (call) => {
  const { input, environment, parentPid, how } = call;
  // Cursor runs Claude Code's hooks, too, and thatch has hooks of its own there.
  if (environment.CURSOR_VERSION) return SILENCE;
  return runHook(call, async (ground) => {
    const payload = parsePayload(input);
    if (how.includes("--plugin") && settingsHaveHooks(environment, payload.cwd)) return SILENCE;
    const sessionId = conversationId(payload.sessionId);
    const host = hostProcess(ancestorsFrom(parentPid));
    return answerHook({ ...ground, sessionId, host }, payload);
  });
};
