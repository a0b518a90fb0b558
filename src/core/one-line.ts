/** CSI, OSC and the other escape sequences of a terminal, with what belongs to them. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
const SPACES = /[\s\u0085\u200b]+/gu;
/** Controls, lone surrogates and whatever else shows nothing (direction marks, zero width); emoji keep what joins and styles them. */
const HIDDEN = /(?![\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** A joiner that joins no emoji. */
const LOOSE_JOINER =
  /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/**
 * Makes one harmless line of foreign text: white space runs become one space; escape sequences, controls, direction marks and other
 * invisible characters go. Longer than `limit` code points, it is cut before a whole character and ends in "…".
 */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(ESCAPES, "").replace(SPACES, " ").replace(HIDDEN, "").replace(LOOSE_JOINER, "").trim();
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
