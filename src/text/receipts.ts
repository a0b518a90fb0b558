import { ageWords } from "../core/age.ts";
import type { Message } from "../core/message.ts";
import type { Outlook } from "../core/outlook.ts";
import { type Reach, reachOf } from "../core/roster.ts";
import type { Session } from "../core/session.ts";
import { COUNTED_READ_MESSAGES } from "../core/store.ts";
import { clockTime, counted, nameList } from "./phrases.ts";
import type { ToolNaming } from "./verbs.ts";

/** What a sender is told of one stored message: that it is stored, how its recipient will hear of it, and how an answer reaches the sender. */
export function sendReceipt(message: Message, sender: Session, recipient: Session, outlook: Outlook): string {
  const answer = outlook.kind === "stale" ? "" : ` ${ANSWER_WORDS[reachOf(sender)]}`;
  return `Stored as #${message.id} for ${recipient.name}. ${outlookSentence(recipient.name, outlook)}${answer}`;
}

/** How a sender of this reach hears of an answer. */
const ANSWER_WORDS: Readonly<Record<Reach, string>> = {
  wakes: "End your turn instead of waiting or polling: an answer wakes you.",
  turn: "Do not wait or poll: an answer is shown to you in a later turn, and does not start one.",
  polls: "Do not wait or poll: nothing tells you of an answer; look for it when the user next wants something.",
};

/**
 * Only what is sure is said: whether a turn hears of mail at a tool's result depends on the recipient's settings, and on whether it calls one.
 */
function outlookSentence(name: string, outlook: Outlook): string {
  switch (outlook.kind) {
    case "wakes":
      return `${name} is idle and its host is told now (reach: wakes).`;
    case "busy":
      return `${name} is in a turn: it is woken for this when the turn ends, unless it reads it before (reach: wakes).`;
    case "capped":
      return `${name} was woken as often as one hour allows, so it is not woken for this before ${clockTime(outlook.freeAt)}: it hears of it in a turn of its own, or is woken then. Do not send more to hurry it.`;
    case "turn":
      return `${name} is not woken: it hears of this in a turn of its own (reach: turn).`;
    case "polls":
      return `${name} is not woken: it sees this when it looks (reach: polls).`;
    case "stale":
      return `${name} is stale: no running process hosts it (last seen ${ageWords(outlook.silentMs)}). It gets this when it is opened again; do not wait for it.`;
  }
}

/** A broadcast's receipt, recipients grouped by how they will hear of it. */
export function broadcastReceipt(
  copies: readonly { readonly recipient: Session; readonly outlook: Outlook }[],
  skipped: readonly Session[],
): string {
  const lines: string[] = [];
  if (copies.length === 0) lines.push("Nothing was sent: no other session is active.");
  else lines.push(`Stored for ${counted(copies.length, "session")}.`);
  for (const [kind, words] of BROADCAST_WORDS) {
    const names = copies.filter((copy) => copy.outlook.kind === kind).map((copy) => copy.recipient.name);
    if (names.length > 0) lines.push(`${words}: ${nameList(names)}.`);
  }
  if (skipped.length > 0) {
    lines.push(`Skipped as stale (no process hosts them): ${nameList(skipped.map((session) => session.name))}.`);
  }
  return lines.join("\n");
}

const BROADCAST_WORDS: readonly (readonly [Outlook["kind"], string])[] = [
  ["wakes", "Idle, woken now"],
  ["busy", "In a turn, woken when it ends"],
  ["capped", "Woken as often as allowed, hear of it in a turn of their own or once the hour allows a wake"],
  ["turn", "Not woken, hear of it in a turn of their own"],
  ["polls", "Not woken, see it when they look"],
  ["stale", "Stale by now, get it when opened again"],
];

/** What a session is told that registered. */
export function registered(session: Session, created: boolean, tool: ToolNaming): string {
  const topic = session.topic === null ? "" : ` Your topic, from the session's title: ${session.topic}.`;
  const joined = created ? `You joined as ${session.name}.` : `You are registered as ${session.name}.`;
  return `${joined}${topic} ${tool("list")} shows who is here.`;
}

/** What a session is told that left, or was not there. */
export function left(session: Session | null, unread: number, tool: ToolNaming): string {
  const mail =
    unread === 0
      ? ""
      : ` ${counted(unread, "unread message")} ${unread === 1 ? "stays" : "stay"} in your mailbox; you are not woken for more.`;
  const who =
    session === null
      ? "You were not registered, and stay out."
      : `You left; ${session.name} is not in the directory any more.`;
  return `${who}${mail} ${tool("register")} joins again, under a new name.`;
}

/** The quiet check; `total` as `MailboxCount` has it. */
export function statusLine(session: Session | null, unread: number, total: number, tool: ToolNaming): string {
  const who = session === null ? `Not registered (${tool("register")} joins).` : `Registered as ${session.name}.`;
  const all = total - unread < COUNTED_READ_MESSAGES ? String(total) : `${total} or more`;
  return `${who} ${counted(unread, "unread message")} of ${all}.`;
}
