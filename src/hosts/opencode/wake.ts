import { isUserMessage } from "../../core/echo-parts.ts";
import type { Log } from "../../core/log.ts";
import type { WakeOutcome } from "../../core/store.ts";
import { type MailSummary, wakeBubble, wakePrompt } from "../../text/mail.ts";
import { CALL_TIMEOUT_MS, type HostClient, HostSilent, type TurnIdentity } from "./client.ts";
import type { HostedSession, HostedSessions, WakePatience } from "./hosted.ts";
import { toolName } from "./naming.ts";

/**
 * A turn begins some milliseconds after a prompt of an idle session and its model's answer some 40 ms later; what has not after this long is
 * not coming. With the waits for the store before and behind, all of it is over before the lease of 30 s is.
 */
export const PATIENCE: WakePatience = { turnMs: 2_000, answerMs: 10_000, wholeMs: 18_000 };
/** A wake that came at the end of another turn and was passed over is given once more, to the idle session then. */
const ATTEMPTS = 2;
/** How far back the last message of the session's user is looked for: a long turn puts hundreds behind it, so all of it in the end. */
const TRANSCRIPT_LOOKBACKS = [100, null];

/**
 * Starts a turn that tells a session of its mail, under the agent and model of its user's last message. Only the model gets the
 * instruction; the person sees a bubble where the turn begins, and a toast. `started` means that the model was seen to begin an
 * answer after it; `unseen` also that opencode did not say whether it took it.
 */
export async function wakeSession(
  session: HostedSession,
  mail: MailSummary,
  hosted: HostedSessions,
  log: Log,
  patience = PATIENCE,
): Promise<WakeOutcome> {
  const client = session.instance?.client;
  if (!client) return "rejected";
  const text = wakePrompt(mail, toolName);
  const parts = [
    { type: "text", text, synthetic: true },
    { type: "text", text: wakeBubble(mail), ignored: true },
  ] as const;
  let prompted = false;
  const endsAt = performance.now() + patience.wholeMs;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const identity = await turnIdentity(session, client);
      if (identity === null) throw new Error(`${session.id} has no message of its user to take agent and model from`);
      // Much may have happened meanwhile.
      if (!hosted.takesPrompt(session) || performance.now() + CALL_TIMEOUT_MS > endsAt) break;
      let silence: HostSilent | null = null;
      const prompt = async () => {
        prompted = true;
        await client.prompt(session.id, identity, parts, false).catch((error) => {
          if (!(error instanceof HostSilent)) throw error;
          // It may have been taken all the same: its answer tells.
          silence = error;
        });
      };
      const fate = await hosted.fateOfWake(session, text, prompt, patience, endsAt);
      if (fate === "answered") {
        client.toast(wakeBubble(mail), "info").catch((error) => log("wake", "the toast was not shown", error));
        return "started";
      }
      log("wake", `the model of ${session.id} did not take up wake ${attempt} of ${ATTEMPTS} (${fate})`, silence);
      if (fate === "silent" || silence !== null) break;
    } catch (error) {
      log("wake", `opencode did not take the wake of ${session.id}; its mail stays pending`, error);
      return attempt === 1 ? "rejected" : "unseen";
    }
  }
  return prompted ? "unseen" : "rejected";
}

/** How turns of this session run, from its user's last message; null when it has none. */
export async function turnIdentity(session: HostedSession, client: HostClient): Promise<TurnIdentity | null> {
  if (session.identity !== null) return session.identity;
  for (const lookback of TRANSCRIPT_LOOKBACKS) {
    const transcript = await client.transcript(session.id, lookback);
    const last = transcript.findLast((message) => message.identity !== null && isUserMessage(message.parts));
    session.identity = last?.identity ?? null;
    if (session.identity !== null || transcript.length < (lookback ?? 0)) break;
  }
  return session.identity;
}
