/** Where a text stops being what it should be: line and column count from 1. */
export type SourcePlace = { readonly line: number; readonly column: number };

/**
 * What setup did, or in a dry run would do, to a file. `restored`: thatch's part was taken out; `deleted`: the file held
 * nothing else. `backup`: where the text from before the change is kept, null without one.
 */
export type FileChange = {
  readonly file: string;
  readonly change: "created" | "changed" | "restored" | "deleted" | "unchanged";
  readonly backup: string | null;
};

/** Why entries cannot be put into a text. `taken`: the place belongs to something that is not thatch's. */
export type EntryFault =
  | { readonly code: "malformed"; readonly place: SourcePlace }
  | { readonly code: "wrong-kind"; readonly path: readonly string[]; readonly wanted: string; readonly found: string }
  | { readonly code: "taken"; readonly path: readonly string[] };

/** A file that setup left alone, and why. */
export type SetupFault = {
  readonly file: string;
  readonly fault:
    | EntryFault
    | { readonly code: "marker"; readonly marker: string; readonly place: SourcePlace }
    | { readonly code: "read-only" }
    | { readonly code: "changed-meanwhile" }
    | { readonly code: "failed"; readonly reason: string };
};

/** Something the person should know; none of it stops the setup. */
export type SetupNotice =
  | { readonly code: "other-program"; readonly path: string }
  | { readonly code: "plugin-too"; readonly file: string }
  | { readonly code: "native-messaging" };
