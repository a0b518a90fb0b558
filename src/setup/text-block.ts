import type { SourcePlace } from "../core/setup-report.ts";
import { placeOf } from "./json-source.ts";

const BEGIN = "<!-- thatch:begin -->";
const END = "<!-- thatch:end -->";

/** A marker without its partner: what belongs to thatch cannot be told. */
export class MarkerError extends Error {
  constructor(
    readonly marker: string,
    readonly place: SourcePlace,
  ) {
    super(`${marker} at line ${place.line} has no partner`);
    this.name = "MarkerError";
  }
}

/** Puts the block, between its markers, at the end of a text. */
export function addBlock(text: string, block: string): string {
  const newline = /\r\n/.test(text) ? "\r\n" : "\n";
  const lines = [BEGIN, ...block.split("\n"), END, ""].join(newline);
  if (text === "" || text === "\uFEFF") return text + lines;
  return `${text}${text.endsWith("\n") ? "" : newline}${newline}${lines}`;
}

/** Whether the text holds exactly this block, once. */
export function holdsBlock(text: string, block: string): boolean {
  const plain = text.replaceAll("\r\n", "\n");
  return plain.split(BEGIN).length === 2 && plain.includes([BEGIN, ...block.split("\n"), END].join("\n"));
}

/** Takes every block out, with the space `addBlock` put ahead of it. Throws {@link MarkerError} where a marker stands alone. */
export function removeBlock(text: string, before: string | null): string {
  let result = text;
  for (;;) {
    const begin = result.indexOf(BEGIN);
    const end = result.indexOf(END);
    if (begin < 0 && end < 0) return result;
    if (begin < 0 || end < begin) {
      // The first marker of the text is the one that stands alone.
      const lonely = begin < 0 || (end >= 0 && end < begin) ? END : BEGIN;
      throw new MarkerError(lonely, placeOf(result, lonely === END ? end : begin));
    }
    const tail = result.slice(end + END.length).replace(/^\r?\n/, "");
    const head = result.slice(0, begin).replace(/(^|\n)\r?\n$/, "$1");
    const lackedNewline = before !== null && before !== "" && head.replace(/\r?\n$/, "") === before;
    result = lackedNewline && tail === "" ? before : head + tail;
  }
}
