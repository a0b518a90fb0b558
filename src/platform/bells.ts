import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const SUFFIX = ".bell";

/** The file whose change wakes this session. */
export function bellFile(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}${SUFFIX}`);
}

/** Makes the folder that a host watches; only the user may look into it. */
export function makeBellFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  // Whatever the umask.
  chmodSync(folder, PRIVATE_FOLDER);
}

/** Changes the file, so that whoever watches it looks. */
export function ringBell(folder: string, sessionId: string, at: number): void {
  makeBellFolder(folder);
  writeFileSync(bellFile(folder, sessionId), `${at}\n`, { mode: PRIVATE_FILE });
}

export function removeBell(folder: string, sessionId: string): void {
  rmSync(bellFile(folder, sessionId), { force: true });
}

/** Removes bells that were last rung more than `ttlMs` before `now`. */
export function sweepBells(folder: string, now: number, ttlMs: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(SUFFIX)) continue;
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > ttlMs) rmSync(file, { force: true });
  }
}
