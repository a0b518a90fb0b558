import { closeSync, existsSync, fchmodSync, fsyncSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** The file that a path leads to through symbolic links; the path itself where nothing is there. */
export function targetOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** The text of a file, byte for byte; null where there is none. Throws what the system says of an unreadable one, and on bytes that are not UTF-8. */
export function readText(path: string): string | null {
  if (!existsSync(path)) return null;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
}

/** Writes beside the file and renames, so that a reader sees the old text or the new one. Keeps the mode; a new file gets `mode`. */
export function writeAtomically(path: string, text: string, mode = 0o644): void {
  const temporary = join(dirname(path), `.thatch-${process.pid}-${Date.now()}.tmp`);
  const kept = existsSync(path) ? statSync(path).mode & 0o7777 : mode;
  const file = openSync(temporary, "wx", 0o600);
  try {
    const bytes = new TextEncoder().encode(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fchmodSync(file, kept);
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Makes the folder and returns the ones it had to make, outermost first. */
export function makeFolder(path: string, mode = 0o755): string[] {
  if (existsSync(path)) return [];
  const made = [...makeFolder(dirname(path), mode), path];
  mkdirSync(path, { mode });
  return made;
}
