import type { Chat } from "../../chat/chat.ts";
import { parseOpencodeCommandLine } from "../../core/command-line.ts";
import { SESSION_TTL_MS } from "../../core/liveness.ts";
import type { Log } from "../../core/log.ts";
import { wakeLimits } from "../../core/wake.ts";
import type { Hosting } from "../../delivery/hosting.ts";
import { createPoller } from "../../delivery/poller.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ChatConfig, readConfig } from "../../platform/config.ts";
import { debugLog } from "../../platform/debug-log.ts";
import { processArgs } from "../../platform/process-args.ts";
import { systemRandom } from "../../platform/random.ts";
import { readSettings } from "../../platform/settings.ts";
import { createSqliteStore } from "../../store/sqlite/store.ts";
import { contained } from "./contained.ts";
import { turnOver } from "./events.ts";
import { HostedSessions } from "./hosted.ts";
import { Registrar } from "./registrar.ts";
import type { Runtime } from "./runtime.ts";
import { Serial } from "./serial.ts";
import type { Continues } from "./startup.ts";
import { wakeSession } from "./wake.ts";

/** A runtime, what its terminal continues, and how to rest it. */
export interface StartedRuntime {
  readonly runtime: Runtime;
  readonly continues: Continues;
  /** What the person should know of settings that could not be used. */
  readonly warnings: readonly string[];
  /** An instance is served: the poller runs from the first reading of the config that finds chat enabled. */
  resume(): void;
  /** Ends timers and closes the database, until an instance is served again, whatever reads the config meanwhile. */
  pause(): void;
}

/** Composes what the instances of one process share. Touches neither the database nor the network. */
export function createRuntime(environment: Readonly<Record<string, string | undefined>>): StartedRuntime {
  const settings = readSettings(environment);
  const log = debugLog(settings.debugFile);
  const { mode, continues } = commandLine(log);
  const limits = wakeLimits(settings);
  const store = createSqliteStore({ file: settings.databaseFile });
  const chat: Chat = { store, clock: systemClock, random: systemRandom, pollMs: settings.pollMs, limits };
  const hosted = new HostedSessions((session) => void contained(log, "lapse", () => turnOver(runtime, session))());
  const registrar = new Registrar(chat, hosted, mode, log);

  let served = false;
  let started = false;
  let warned: string | null = null;
  const config = (): ChatConfig => {
    const reading = readConfig(settings.configFile);
    if (reading.warning !== null && reading.warning !== warned) log("config", reading.warning);
    warned = reading.warning;
    if (reading.chat.enabled && served && !started) {
      started = true;
      poller.start();
    }
    return reading.chat;
  };
  const poller = createPoller({
    store,
    clock: systemClock,
    hosting: hosting(hosted, config, mode, log),
    limits,
    pollMs: settings.pollMs,
    ttlMs: SESSION_TTL_MS,
    log,
  });
  const serial = new Serial();
  const answers = new Map<string, string>();
  const runtime: Runtime = { chat, settings, log, mode, hosted, registrar, poller, serial, answers, config };
  const first = readConfig(settings.configFile);
  return {
    runtime,
    continues,
    warnings: first.warning === null ? settings.warnings : [...settings.warnings, first.warning],
    resume() {
      served = true;
    },
    pause() {
      served = false;
      started = false;
      poller.stop();
      store.close();
    },
  };
}

function commandLine(log: Log): ReturnType<typeof parseOpencodeCommandLine> {
  try {
    return parseOpencodeCommandLine(processArgs());
  } catch (error) {
    log("startup", "the command line cannot be read: a continued session joins at its next prompt", error);
    return { mode: "tui", continues: null };
  }
}

/** What the poller may beat for and deliver to. */
function hosting(hosted: HostedSessions, config: () => ChatConfig, mode: Runtime["mode"], log: Log): Hosting {
  const served = () => {
    if (!config().enabled) return [];
    const now = systemClock.now();
    return hosted
      .all()
      .filter(
        (session) =>
          session.instance !== null &&
          session.turn.state !== "unknown" &&
          (session.graceUntil === null || session.graceUntil > now),
      );
  };
  return {
    sessionIds: () => served().map((session) => session.id),
    busyIds: () =>
      served()
        .filter((session) => session.turn.state === "running")
        .map((session) => session.id),
    canDeliver(id) {
      // `opencode run` ends as soon as it is idle: a prompt then is stored, and never answered.
      if (mode === "run") return false;
      const session = hosted.get(id);
      return session !== undefined && hosted.takesPrompt(session);
    },
    async wake(id, mail) {
      const session = hosted.get(id);
      return session ? wakeSession(session, mail, hosted, log) : "rejected";
    },
  };
}
