import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, writeAtomically } from "./atomic-write.ts";

const schema = z.object({
  before: z.string().nullable(),
  after: z.string(),
  madeFolders: z.array(z.string()),
});

/**
 * What setup did to one file, so that it can be undone exactly: the text without thatch (null: there was no file), the
 * text with it, and the folders made for it, outermost first.
 */
export type Receipt = z.infer<typeof schema>;

/** Receipts and backups of a file stand under its own path: `<folder>/home/ada/.claude.json/receipt.json`. */
function folderOf(folder: string, file: string): string {
  return join(folder, file);
}

/** The receipt of a file; null where there is none or it cannot be read, which costs only the exactness of the removal. */
export function readReceipt(folder: string, file: string): Receipt | null {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(join(folderOf(folder, file), "receipt.json"), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    // None there, or damaged: then the entries are found by their form.
    return null;
  }
}

export function writeReceipt(folder: string, file: string, receipt: Receipt): void {
  makeFolder(folderOf(folder, file), 0o700);
  writeAtomically(join(folderOf(folder, file), "receipt.json"), `${JSON.stringify(receipt)}\n`, 0o600);
}

export function dropReceipt(folder: string, file: string): void {
  rmSync(join(folderOf(folder, file), "receipt.json"), { force: true });
}

/** Keeps a text as it was ahead of a change, for its owner only. Returns where. */
export function writeBackup(folder: string, file: string, text: string): string {
  makeFolder(folderOf(folder, file), 0o700);
  const path = join(folderOf(folder, file), "backup");
  writeAtomically(path, text, 0o600);
  return path;
}
