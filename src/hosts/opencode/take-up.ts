import type { HostedSession } from "./hosted.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Hosts a session that no event has told of, once opencode says whether it runs a turn and `prepare` is done with it. An event that comes
 * meanwhile counts for more than the answer. Null for a sub-agent's session and one that opencode does not know. Rejects when any
 * of it fails; the session is hosted then only if an event has told of it.
 */
export async function takeUp(
  runtime: Runtime,
  instance: Instance,
  id: string,
  prepare?: (session: HostedSession) => Promise<void>,
): Promise<HostedSession | null> {
  const session = await runtime.registrar.resolve(instance, id);
  if (session === null || session.turn.state !== "unknown") return session;
  try {
    const running = await instance.client.isBusy(id);
    await prepare?.(session);
    if (runtime.hosted.get(id) !== session) throw new Error(`${id} was let go of while it was taken up`);
    session.turn.answered(running);
    return session;
  } catch (error) {
    if (session.turn.state === "unknown") runtime.hosted.drop(id);
    throw error;
  }
}
