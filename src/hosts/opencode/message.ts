import type { Hooks } from "@opencode-ai/plugin";
import { isUserMessage } from "../../core/echo-parts.ts";
import type { Notice } from "../../core/store.ts";
import { promptNotice } from "../../text/mail.ts";
import { identityOf } from "./client.ts";
import { hideChatTools } from "./hidden-tools.ts";
import type { HostedSession } from "./hosted.ts";
import type { Instance } from "./instance.ts";
import { toolName } from "./naming.ts";
import type { Runtime } from "./runtime.ts";

type OnMessage = NonNullable<Hooks["chat.message"]>;

/** A prompt waits at most this long for its session's registration, which goes on behind it. */
const PROMPT_PATIENCE_MS = 250;

/** Registers a session at a message of its user, before its model runs, and learns under which agent and model it works. */
export async function followMessage(
  runtime: Runtime,
  instance: Instance,
  ...[input, output]: Parameters<OnMessage>
): Promise<void> {
  const identity = identityOf(output.message);
  const config = runtime.config();
  if (!config.enabled) output.message.tools = hideChatTools(output.message.tools);
  const known = runtime.hosted.get(input.sessionID);
  for (const part of output.parts) {
    if (known && part.type === "text" && part.synthetic) runtime.hosted.wakeStored(known, part.text, output.message.id);
  }
  if (asksForTurn(output.parts, known)) known?.turn.prompted(output.message.id);
  if (!isUserMessage(output.parts)) return;

  let unread: Notice | null = null;
  const registration = async () => {
    const session = await runtime.registrar.resolve(instance, input.sessionID);
    if (session === null) return;
    // Its registration rings the bell of its mail, and its turn has not begun.
    if (known === undefined) session.turn.prompted(output.message.id);
    session.identity = identity;
    session.graceUntil = null;
    if (!config.enabled) return;
    await runtime.registrar.ensure(session, config);
    unread = session.name === null ? null : await runtime.chat.store.unread(session.id);
  };
  await patiently(
    registration().catch((error) => runtime.log("registration", `${input.sessionID} could not be registered`, error)),
  );
  // A session that is not woken, such as one whose wakes are spent, hears of its mail here.
  if (unread !== null) addForModel(output.parts, promptNotice(unread, toolName));
}

/** Whether the message may start a turn that is not thatch's own wake: some of it goes to the model. */
function asksForTurn(parts: Parameters<OnMessage>[1]["parts"], session: HostedSession | undefined): boolean {
  return parts.some((part) => part.type !== "text" || (!part.ignored && part.text !== session?.waking?.text));
}

/** Adds a text that only the model gets, behind the others: opencode orders parts by their ids. */
function addForModel(parts: Parameters<OnMessage>[1]["parts"], text: string): void {
  const last = parts.at(-1);
  if (last === undefined) return;
  const { sessionID, messageID } = last;
  parts.push({ id: `${last.id}z`, sessionID, messageID, type: "text", text, synthetic: true });
}

async function patiently(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PROMPT_PATIENCE_MS);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
