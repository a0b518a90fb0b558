/** CSI, OSC and the other escape sequences of a terminal, with what belongs to them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
const SPACES = /[\s\u0085\u200b]+/gu;
/** Controls, lone surrogates, private use aside; format characters (bidi, zero width) but the joiner emoji are made with. */
const HIDDEN = /[\p{Cc}\p{Cs}]|(?!\u200d)\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]/gu;
/** A joiner that joins no emoji. */
const LOOSE_JOINER = /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

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
