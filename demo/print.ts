import { list } from "../src/chat/list.ts";
import type { NamedMessage } from "../src/core/message.ts";
import type { ChatStore } from "../src/core/store.ts";
import { rosterText } from "../src/text/roster.ts";

/** Colour only for a person who has not said no to it (https://no-color.org). */
const COLOUR = process.stdout.isTTY === true && !process.env.NO_COLOR;

function paint(code: number): (text: string) => string {
  return (text) => (COLOUR ? `\u001b[${code}m${text}\u001b[0m` : text);
}
export const bold = paint(1);
export const dim = paint(2);
const green = paint(32);
const red = paint(31);

/** Prints one line of the conversation: who, and what. */
export function say(who: string, what: string): void {
  console.log(`  ${bold(who.padEnd(22))} ${what}`);
}

/** The last line of a demo that went well, or of one that did not. */
export function verdict(good: boolean, text: string): void {
  console.log(`\n${good ? green("✓") : red("✗")} ${text}`);
}

/** Prints the directory as a session sees it, and every message, from the database. */
export async function printDatabase(store: ChatStore, pollMs: number): Promise<void> {
  const now = Date.now();
  const chat = { store, clock: { now: () => now }, pollMs };
  console.log(`\n${bold("The roster")} ${dim("(as a session that is not in it sees it)")}`);
  console.log(indented(rosterText(await list(chat), "", (verb) => `thatch_chat_${verb}`)));
  console.log(`\n${bold("The message log")}`);
  for (const message of await store.feed(null)) console.log(`  ${logLine(message)}`);
}

function logLine(message: NamedMessage): string {
  const time = new Date(message.sentAt).toISOString().slice(11, 23);
  const read = message.readAt === null ? "unread" : `read after ${message.readAt - message.sentAt} ms`;
  const reply = message.replyTo === null ? "" : ` (answers #${message.replyTo})`;
  const ends = `${message.senderName ?? "(left)"} → ${message.recipientName ?? "(left)"}`;
  return `#${message.id}${reply} ${dim(`${time} UTC`)} ${ends}: ${message.body} ${dim(`[${read}]`)}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
