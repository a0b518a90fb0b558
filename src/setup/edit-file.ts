import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { FileChange, SetupFault } from "../core/setup-report.ts";
import { isReadOnly, makeFolder, readText, targetOf, writeAtomically } from "./atomic-write.ts";
import { EntryError } from "./json-entries.ts";
import { dropReceipt, type Receipt, readReceipt, writeBackup, writeReceipt } from "./receipt.ts";
import { MarkerError } from "./text-block.ts";

/** How thatch's part of one kind of file is found, added and taken out; all on its text without a byte order mark. */
export type Edit = {
  /** `before`, here and below, is the text that setup found (null: not known). */
  readonly holds: (text: string, before: string | null) => boolean;
  readonly add: (text: string) => string;
  readonly strip: (text: string, before: string | null) => string;
};

export type FileTask = {
  readonly file: string;
  readonly edit: Edit;
  /** What a file that does not exist yet starts with; one that is left with no more than this goes again. */
  readonly seed: string;
  /** Permission bits of a new file. */
  readonly mode: number;
};

export type Mode = {
  readonly remove: boolean;
  readonly dryRun: boolean;
  /** Where receipts and backups are kept. */
  readonly stateFolder: string;
};

const BOM = "\uFEFF";

/** Brings one file into the wanted state. A file that cannot be edited is left alone and comes back as a fault. */
export function editFile(task: FileTask, mode: Mode): FileChange | SetupFault {
  try {
    return changeFile(task, mode);
  } catch (error) {
    return { file: task.file, fault: faultOf(error) };
  }
}

function changeFile(task: FileTask, mode: Mode): FileChange | SetupFault {
  const { file, seed } = task;
  const target = targetOf(file);
  const found = readText(target);
  const receipt = readReceipt(mode.stateFolder, target);
  const edit = withByteOrderMark(task.edit);
  const unchanged: FileChange = { file, change: "unchanged", backup: null };
  if (found === null && mode.remove) return unchanged;
  if (found !== null && !mode.remove && edit.holds(found, receipt === null ? null : (receipt.before ?? seed)))
    return unchanged;

  const base = found === null ? null : textWithout(found, receipt, edit, seed);
  const next = mode.remove ? base : edit.add(base ?? seed);
  if (next === found) return unchanged;
  if (isReadOnly(target)) return { file, fault: { code: "read-only" } };
  const change = found === null ? "created" : next === null ? "deleted" : mode.remove ? "restored" : "changed";
  if (mode.dryRun) return { file, change, backup: null };

  const madeFolders = receipt?.madeFolders ?? [];
  const backup = found === null ? null : writeBackup(mode.stateFolder, target, found);
  if (next === null) {
    if (readText(target) !== found) return { file, fault: { code: "changed-meanwhile" } };
    rmSync(target);
    removeEmpty(madeFolders);
  } else {
    const made = [...madeFolders, ...makeFolder(dirname(target), 0o755)];
    if (!mode.remove) writeReceipt(mode.stateFolder, target, { before: base, after: next, madeFolders: made });
    if (readText(target) !== found) return { file, fault: { code: "changed-meanwhile" } };
    writeAtomically(target, next, task.mode);
  }
  if (mode.remove) dropReceipt(mode.stateFolder, target);
  return { file, change, backup };
}

/** The text as it would be had setup never run; null: there would be no file. */
function textWithout(found: string, receipt: Receipt | null, edit: Edit, seed: string): string | null {
  if (receipt === null) return edit.strip(found, null);
  if (found === receipt.after) return receipt.before;
  const text = edit.strip(found, receipt.before ?? seed);
  return receipt.before === null && text.replace(/\s/g, "") === seed.replace(/\s/g, "") ? null : text;
}

function withByteOrderMark(edit: Edit): Edit {
  const mark = (text: string) => (text.startsWith(BOM) ? BOM : "");
  const bare = (text: string) => text.slice(mark(text).length);
  return {
    holds: (text, before) => edit.holds(bare(text), before === null ? null : bare(before)),
    add: (text) => mark(text) + edit.add(bare(text)),
    strip: (text, before) => mark(text) + edit.strip(bare(text), before === null ? null : bare(before)),
  };
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something else stands in it, or it is gone already: both are as they should be.
      return;
    }
  }
}

function faultOf(error: unknown): SetupFault["fault"] {
  if (error instanceof EntryError) return error.fault;
  if (error instanceof MarkerError) return { code: "marker", marker: error.marker, place: error.place };
  return { code: "failed", reason: error instanceof Error ? error.message : String(error) };
}
