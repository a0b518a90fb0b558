import type { Chat } from "../chat/chat.ts";
import { wakeLimits } from "../core/wake.ts";
import { systemClock } from "../platform/clock.ts";
import { readConfig } from "../platform/config.ts";
import { debugLog } from "../platform/debug-log.ts";
import { systemRandom } from "../platform/random.ts";
import { readSettings } from "../platform/settings.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";
import { type HookAnswer, SILENCE } from "./answer.ts";
import type { HookGround } from "./context.ts";

/** A person waits for their prompt behind the hook: a database that stays locked longer is given up. */
const PATIENCE_MS = 1_000;
/** The hook has nothing else to do while it waits. */
const BUSY_MS = 50;

/** One event of a host, as its hook gets it. */
export interface HookCall {
  /** Standard input to its end. */
  readonly input: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The process that started the hook. */
  readonly parentPid: number;
  /** What stands behind the host's name on the command line. */
  readonly how: readonly string[];
}

/** Answers an event of one host. Never rejects. */
export type Hook = (call: HookCall) => Promise<HookAnswer>;

/** Answers one event on the person's own database. Says nothing while chat is off, and when `answer` rejects, which is logged. */
export async function runHook(
  { input, environment }: HookCall,
  answer: (ground: HookGround) => Promise<HookAnswer>,
): Promise<HookAnswer> {
  const settings = readSettings(environment);
  const log = debugLog(settings.debugFile);
  const store = createSqliteStore({ file: settings.databaseFile, patienceMs: PATIENCE_MS, busyMs: BUSY_MS });
  try {
    const { chat: config, warning } = readConfig(settings.configFile);
    if (warning !== null) log("config", warning);
    if (!config.enabled) return SILENCE;
    const limits = wakeLimits(settings);
    const chat: Chat = { store, clock: systemClock, random: systemRandom, pollMs: settings.pollMs, limits };
    return await answer({ chat, settings, config, log });
  } catch (error) {
    log("hook", `nothing is said to this event (${input.length} characters)`, error);
    return SILENCE;
  } finally {
    store.close();
  }
}
