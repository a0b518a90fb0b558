import type { Chat } from "../../chat/chat.ts";
import { hostProcess } from "../../core/process.ts";
import { wakeLimits } from "../../core/wake.ts";
import { systemClock } from "../../platform/clock.ts";
import { readConfig } from "../../platform/config.ts";
import { conversationId } from "../../platform/conversation-id.ts";
import { debugLog } from "../../platform/debug-log.ts";
import { ancestorsFrom } from "../../platform/processes.ts";
import { systemRandom } from "../../platform/random.ts";
import { readSettings } from "../../platform/settings.ts";
import { createSqliteStore } from "../../store/sqlite/store.ts";
import { answerHook, type HookAnswer } from "./hook.ts";
import { settingsHaveHooks } from "./own-hooks.ts";
import { parsePayload } from "./payload.ts";

/** A person waits for their prompt behind the hook: a database that stays locked longer is given up. */
const PATIENCE_MS = 1_000;
/** The hook has nothing else to do while it waits. */
const BUSY_MS = 50;

/** The answer to one hook event of Claude Code; `how` holds `--plugin` for a hook of its plugin. Never rejects: what fails is logged, and nothing is said. */
export async function runHook(
  input: string,
  environment: Readonly<Record<string, string | undefined>>,
  parentPid: number,
  how: readonly string[] = [],
): Promise<HookAnswer> {
  const silence: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };
  const settings = readSettings(environment);
  const log = debugLog(settings.debugFile);
  // Cursor runs Claude Code's hooks, too, and thatch has hooks of its own there.
  if (environment.CURSOR_VERSION) return silence;
  const store = createSqliteStore({ file: settings.databaseFile, patienceMs: PATIENCE_MS, busyMs: BUSY_MS });
  try {
    const { chat: config, warning } = readConfig(settings.configFile);
    if (warning !== null) log("config", warning);
    if (!config.enabled) return silence;
    const payload = parsePayload(input);
    if (how.includes("--plugin") && settingsHaveHooks(environment, payload.cwd)) return silence;
    const limits = wakeLimits(settings);
    const chat: Chat = { store, clock: systemClock, random: systemRandom, pollMs: settings.pollMs, limits };
    const sessionId = conversationId(payload.sessionId);
    const host = hostProcess(ancestorsFrom(parentPid));
    return await answerHook({ chat, settings, config, log, sessionId, host }, payload);
  } catch (error) {
    log("hook", `nothing is said to this event (${input.length} characters)`, error);
    return silence;
  } finally {
    store.close();
  }
}
