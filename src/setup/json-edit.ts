import type { Edit } from "./edit-file.ts";
import { addEntries, type EntrySet, holdsEntries, removeEntries } from "./json-entries.ts";

/** The edit that brings these entries into a JSON file. */
export function jsonEdit(set: EntrySet): Edit {
  return {
    holds: (text, before) => holdsEntries(text, set, before),
    add: (text) => addEntries(text, set),
    strip: (text, before) => removeEntries(text, set, before),
  };
}
