/** CSI, OSC and the other escape sequences of a terminal, with what belongs to them. One without its end hides nothing: it loses its beginning only. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
/** Pairs of surrogates, or lone ones. Without the u flag, with which Bun 1.3 misses a lone one before U+FC00 to U+FFFF. */
const SURROGATES = /([\ud800-\udbff][\udc00-\udfff])|[\ud800-\udfff]/g;
const SPACES = /[\s\u0085\u200b]+/gu;
/** Controls and whatever else shows nothing (direction marks, zero width); emoji keep what joins and styles them. */
const HIDDEN = /(?![\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Emoji as they are joined and styled, or else one sign that joins or styles nothing. Bun 1.3 gets this wrong with a look-behind. */
const JOINED =
  /\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*|[0-9#*]\ufe0f\u20e3|[\u200d\ufe0e\ufe0f]/gu;
/** Nothing to be done: words of printable ASCII with single spaces. Most text is, and the other patterns take milliseconds to compile. */
const HARMLESS = /^[!-~]+(?: [!-~]+)*$/;
/** So many units of text are read for each code point that may be kept: what hides more in between is no text for a line. */
const READ_FOR_EACH = 16;
const LOOSE = /^[\u200d\ufe0e\ufe0f]$/;

/**
 * Makes one harmless line of foreign text: white space runs become one space; escape sequences, controls, direction marks and other
 * invisible characters go. Longer than `limit` code points, it is cut before a whole character and ends in "…". The time it takes depends on
 * `limit`, not on the text.
 */
export function oneLine(text: string, limit: number): string {
  if (text.length <= limit && HARMLESS.test(text)) return text;
  const head = text.slice(0, limit * READ_FOR_EACH);
  const visible = head
    .replace(SURROGATES, "$1")
    .replace(ESCAPES, "")
    .replace(SPACES, " ")
    .replace(HIDDEN, "")
    .replace(JOINED, (match) => (LOOSE.test(match) ? "" : match));
  // What was hidden may have stood between two spaces.
  const line = visible.replace(SPACES, " ").trim();
  const isWhole = head.length === text.length;
  if (length(line) <= (isWhole ? limit : limit - 1)) return isWhole ? line : `${line}…`;
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
