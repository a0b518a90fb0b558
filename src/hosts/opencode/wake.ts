import { isUserMessage } from "../../core/echo-parts.ts";
import type { Log } from "../../core/log.ts";
import type { WakeOutcome } from "../../core/store.ts";
import { type MailSummary, wakeBubble, wakePrompt } from "../../text/mail.ts";
import type { HostClient, TurnIdentity } from "./client.ts";
import type { HostedSession, HostedSessions } from "./hosted.ts";
import { toolName } from "./naming.ts";

/** A turn starts 50 to 70 ms after its prompt; one that has not started after this long did not start. */
const TURN_START_TIMEOUT_MS = 10_000;
/** How far back the last message of the session's user is looked for. */
const TRANSCRIPT_LOOKBACK = 100;

/**
 * Starts a turn that tells a session of its mail, under the agent and model of its user's last message. Only the model gets the
 * instruction; the person sees a bubble where the turn begins, and a toast.
 */
export async function wakeSession(
  session: HostedSession,
  mail: MailSummary,
  hosted: HostedSessions,
  log: Log,
  turnStartTimeoutMs = TURN_START_TIMEOUT_MS,
): Promise<WakeOutcome> {
  const client = session.instance?.client;
  if (!client) return "rejected";
  const turnsBefore = session.turns;
  try {
    const identity = await turnIdentity(session, client);
    if (identity === null) throw new Error(`${session.id} has no message of its user to take agent and model from`);
    const parts = [
      { type: "text", text: wakePrompt(mail, toolName), synthetic: true },
      { type: "text", text: wakeBubble(mail), ignored: true },
    ] as const;
    await client.prompt(session.id, identity, parts, false);
  } catch (error) {
    log("wake", `opencode did not take the wake of ${session.id}; its mail stays pending`, error);
    return "rejected";
  }
  client.toast(wakeBubble(mail), "info").catch((error) => log("wake", "the toast was not shown", error));
  if (await hosted.awaitTurn(session, turnsBefore, turnStartTimeoutMs)) return "started";
  log("wake", `no turn of ${session.id} started within ${turnStartTimeoutMs} ms; its mail stays pending`);
  return "unseen";
}

/** How turns of this session run, from its user's last message; null when it has none. */
export async function turnIdentity(session: HostedSession, client: HostClient): Promise<TurnIdentity | null> {
  if (session.identity !== null) return session.identity;
  const transcript = await client.transcript(session.id, TRANSCRIPT_LOOKBACK);
  const last = transcript.findLast((message) => message.identity !== null && isUserMessage(message.parts));
  session.identity = last?.identity ?? null;
  return session.identity;
}
