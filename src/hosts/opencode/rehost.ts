import { isStale } from "../../core/liveness.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Takes over the sessions that a server before this one hosted in this directory. Terminals attached to it reconnect without
 * any event until somebody types, and would otherwise read as stale and sleep through their mail. A session that stays silent is let go
 * at the end of the grace.
 */
export async function rehostSessions(runtime: Runtime, instance: Instance): Promise<void> {
  const config = runtime.config();
  if (runtime.mode !== "serve" || !config.enabled) return;
  const now = runtime.chat.clock.now();
  const { rehostGraceMs } = runtime.settings;
  for (const row of await runtime.chat.store.roster()) {
    if (row.host !== "opencode" || row.hostMode !== "serve" || row.directory !== instance.directory) continue;
    if (!isStale(row, now, runtime.chat.pollMs) || now - row.lastSeenAt > rehostGraceMs) continue;
    if (runtime.hosted.get(row.sessionId)) continue;
    const found = await instance.client.session(row.sessionId);
    if (found === null || found.parentId !== null) continue;
    const session = runtime.hosted.host({ ...found, directory: instance.directory }, instance);
    if (await instance.client.isBusy(found.id)) runtime.hosted.turnStarted(session);
    else session.graceUntil = now + rehostGraceMs;
    await runtime.registrar.ensure(session, config);
    runtime.log("rehost", `${found.id} is hosted again as ${session.name ?? "a session that left"}`);
    await runtime.poller.flush(session.id);
  }
}
