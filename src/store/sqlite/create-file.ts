import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ChatError } from "../../core/errors.ts";

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Makes sure that there is a file to open. What is created is the user's alone whatever the umask; what was there keeps
 * its permissions. The file is private before SQLite sees it, because SQLite gives its -wal and -shm the same ones.
 */
export function createFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory())
    throw new ChatError({ code: "store-unavailable", file, reason: "it is a folder, not a file" });
  if (stats) return;
  createFolder(dirname(file));
  ignoringExisting(() => {
    const descriptor = openSync(file, "wx", PRIVATE_FILE);
    try {
      fchmodSync(descriptor, PRIVATE_FILE);
    } finally {
      closeSync(descriptor);
    }
  });
}

function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  ignoringExisting(() => {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    chmodSync(folder, PRIVATE_FOLDER);
  });
}

/** Another process may create the same thing at the same moment; the one that came first then sets its permissions. */
function ignoringExisting(create: () => void): void {
  try {
    create();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
