import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The file that a path leads to through symbolic links, also where a link leads to nothing yet. */
export function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
}

/** The text of a file, byte for byte; null where there is none. Throws where it cannot be read or is not UTF-8. */
export function readText(path: string): string | null {
  if (!existsSync(path)) return null;
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
}

/** A file that nobody may write to was made so on purpose, also where we are root. */
export function isReadOnly(path: string): boolean {
  return existsSync(path) && (statSync(path).mode & 0o222) === 0;
}

/** Writes beside the file and renames: a reader sees the old text or the new one. Keeps the mode; a new file gets `mode`. */
export function writeAtomically(path: string, text: string, mode: number): void {
  const folder = mkdtempSync(join(dirname(path), ".thatch-"));
  try {
    const temporary = join(folder, "next");
    const file = openSync(temporary, "wx", 0o600);
    try {
      const bytes = new TextEncoder().encode(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      fchmodSync(file, existsSync(path) ? statSync(path).mode & 0o7777 : mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the folder and returns the ones it had to make, outermost first. */
export function makeFolder(path: string, mode: number): string[] {
  if (existsSync(path)) return [];
  const made = [...makeFolder(dirname(path), mode), path];
  mkdirSync(path, { mode });
  return made;
}
