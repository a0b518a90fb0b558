/** Everything that JSON allows in a string and that a terminal acts on or shows nothing of: C1 controls, direction marks, zero widths. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** The value as one line of JSON, in which every character that could act on a terminal is escaped: it parses to the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
