import { existsSync } from "node:fs";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Chat } from "../../chat/chat.ts";
import { SESSION_TTL_MS } from "../../core/liveness.ts";
import type { Log } from "../../core/log.ts";
import { wakeLimits } from "../../core/wake.ts";
import { startDoorbell } from "../../delivery/doorbell.ts";
import { createPoller } from "../../delivery/poller.ts";
import { systemClock } from "../../platform/clock.ts";
import { type ChatConfig, readConfig } from "../../platform/config.ts";
import { debugLog } from "../../platform/debug-log.ts";
import { ancestorsFrom } from "../../platform/processes.ts";
import { systemRandom } from "../../platform/random.ts";
import { readSettings } from "../../platform/settings.ts";
import { createSqliteStore } from "../../store/sqlite/store.ts";
import { Anchors } from "./anchors.ts";
import { Callers } from "./callers.ts";
import { McpHosting } from "./hosting.ts";
import { createChatServer } from "./server.ts";

/** How often it is looked whether the process that started the server still runs. */
const PARENT_MS = 2_000;

/** Serves the chat tools on standard input and output until the client closes them or ends. */
export async function runMcp(
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
  version: string,
): Promise<void> {
  const settings = readSettings(environment);
  const log = debugLog(settings.debugFile);
  for (const warning of settings.warnings) log("settings", warning);
  const store = createSqliteStore({ file: settings.databaseFile });
  const limits = wakeLimits(settings);
  const chat: Chat = { store, clock: systemClock, random: systemRandom, pollMs: settings.pollMs, limits };
  const config = (): ChatConfig => readConfig(settings.configFile).chat;
  const parent = process.ppid;
  const anchors = new Anchors({ store, ancestors: () => ancestorsFrom(parent), environment, log });
  const callers = new Callers({ chat, anchors, directory, log });
  const hosting = new McpHosting({
    store,
    callers,
    limits,
    bellFolder: settings.bellFolder,
    now: systemClock.now,
    enabled: () => config().enabled,
    hasDatabase: () => existsSync(settings.databaseFile),
    log,
  });
  const poller = createPoller({
    store,
    clock: systemClock,
    hosting,
    limits,
    pollMs: settings.pollMs,
    ttlMs: SESSION_TTL_MS,
    log,
    doorbell: (options) => startDoorbell({ ...options, onCommit: () => void hosting.refresh().then(options.onCommit) }),
  });

  const ended = Promise.withResolvers<void>();
  const connection = serveStdio(
    () => createChatServer({ chat, callers, log, version, configFile: settings.configFile, config }),
    {
      onerror: (error) => log("mcp", "the connection had a fault", error),
    },
  );
  process.stdin.once("end", ended.resolve);
  process.stdin.once("close", ended.resolve);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ended.resolve());
  const watch = setInterval(() => {
    // A process whose parent has ended is given to another one.
    if (process.ppid !== parent) ended.resolve();
  }, PARENT_MS);
  await hosting.refresh();
  poller.start();
  await ended.promise;
  clearInterval(watch);
  poller.stop();
  await connection.close();
  await close(chat, callers, log);
  store.close();
}

/** A conversation of which only this server knows is over with it; hooks or the missing heartbeat tell of any other. */
async function close(chat: Chat, { own }: Callers, log: Log): Promise<void> {
  if (own === null) return;
  try {
    await chat.store.signOfLife(own, { at: chat.clock.now(), hostMode: "closed" });
  } catch (error) {
    log("mcp", `${own} could not be marked as closed; it turns stale by itself`, error);
  }
}
