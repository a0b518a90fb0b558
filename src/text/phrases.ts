import { oneLine } from "../core/one-line.ts";

/** More names than this are counted instead of listed, so that a line about mail stays short whatever arrives. */
const NAMES_SHOWN = 5;

/** What stands for a session that is no longer in the directory. */
export const DEPARTED = "(left)";

/** "1 message", "3 messages". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Names as a list: "ada", "ada and brook", "ada, brook and 4 more". */
export function nameList(names: readonly (string | null)[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => name ?? DEPARTED);
  const hidden = names.length - shown.length;
  const last = hidden > 0 ? `${hidden} more` : shown.pop();
  return shown.length === 0 ? (last ?? "") : `${shown.join(", ")} and ${last}`;
}

/** A value as it may stand in a sentence: one line, quoted, cut to 60 characters. */
export function quoted(value: string): string {
  return JSON.stringify(oneLine(value, 60));
}

/** A moment on the clock, as in "14:05 UTC": short, and the same for readers in any time zone. */
export function clockTime(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}
