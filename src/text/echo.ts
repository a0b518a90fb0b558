import { ECHO_PREFIX } from "../core/echo-parts.ts";
import type { NamedMessage } from "../core/message.ts";
import { oneLine } from "../core/one-line.ts";
import { counted, DEPARTED } from "./phrases.ts";

/** Characters of a body that a bubble shows: enough to follow the talk, cheap whatever was sent. */
const BODY_SHOWN = 240;
/** Messages of one reading that a bubble shows. */
const MESSAGES_SHOWN = 5;

/** The bubble of a session that joined. */
export function registerEcho(name: string): string {
  return `${ECHO_PREFIX} ${name} joined`;
}

/** The bubble of a message sent to one session. */
export function sendEcho(from: string, to: string, id: number, body: string): string {
  return `${ECHO_PREFIX} ${from} → ${to} #${id}: ${oneLine(body, BODY_SHOWN)}`;
}

/** The bubble of a broadcast. */
export function broadcastEcho(from: string, recipients: number, body: string): string {
  return `${ECHO_PREFIX} ${from} → ${counted(recipients, "session")}: ${oneLine(body, BODY_SHOWN)}`;
}

/** The bubble of a reading, one line a message. */
export function readEcho(reader: string, messages: readonly NamedMessage[]): string {
  const lines = messages
    .slice(0, MESSAGES_SHOWN)
    .map(
      (message) =>
        `${ECHO_PREFIX} ${message.senderName ?? DEPARTED} → ${reader} #${message.id}: ${oneLine(message.body, BODY_SHOWN)}`,
    );
  const hidden = messages.length - lines.length;
  return hidden > 0 ? `${lines.join("\n")}\n${ECHO_PREFIX} … and ${hidden} more` : lines.join("\n");
}
