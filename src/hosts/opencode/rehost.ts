import { isStale } from "../../core/liveness.ts";
import { contained } from "./contained.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";
import { takeUp } from "./take-up.ts";

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
    const rehost = contained(runtime.log, `rehost of ${row.sessionId}`, async () => {
      const session = await takeUp(runtime, instance, row.sessionId, async (session) => {
        // An event that came meanwhile was its sign of life.
        if (session.turn.state === "unknown") session.graceUntil = now + rehostGraceMs;
        await runtime.registrar.ensure(session, config);
      });
      if (session === null) return;
      runtime.log("rehost", `${session.id} is hosted again as ${session.name ?? "a session that left"}`);
      await runtime.poller.flush(session.id);
    });
    // Each on its own: one that opencode does not answer for keeps no other one waiting for the next time.
    await rehost();
  }
}
