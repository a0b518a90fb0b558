/** CSI, OSC and the other escape sequences of a terminal, with what belongs to them. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
const JOINER = "\u200d";
const SPACES = /[\s\u0085\u200b]+/gu;
/** Controls, lone surrogates and whatever else shows nothing (direction marks, zero width); emoji keep what joins and styles them. */
const HIDDEN = /(?![\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Emoji as they are joined, or else a joiner that joins nothing. Bun 1.3 gets this wrong with a look-behind. */
const JOINED =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*)*|\u200d/gu;

/**
 * Makes one harmless line of foreign text: white space runs become one space; escape sequences, controls, direction marks and other
 * invisible characters go. Longer than `limit` code points, it is cut before a whole character and ends in "…".
 */
export function oneLine(text: string, limit: number): string {
  const visible = text
    .replace(ESCAPES, "")
    .replace(SPACES, " ")
    .replace(HIDDEN, "")
    .replace(JOINED, (match) => (match === JOINER ? "" : match));
  // What was hidden may have stood between two spaces.
  const line = visible.replace(SPACES, " ").trim();
  if (length(line) <= limit) return line;
  let kept = "";
  let points = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)) {
    points += length(segment);
    if (points > limit - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function length(text: string): number {
  return [...text].length;
}
