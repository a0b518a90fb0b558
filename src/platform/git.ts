import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What stands under the name `.git` at `directory` or the nearest folder above it: a file (linked worktree), a folder
 * (the project's own checkout), or null when there is none up to the root of the file system. Throws when one of the folders cannot be looked into.
 */
export function findDotGit(directory: string): "file" | "folder" | null {
  for (let at = directory; ; at = dirname(at)) {
    const entry = statSync(join(at, ".git"), { throwIfNoEntry: false });
    if (entry) return entry.isFile() ? "file" : "folder";
    if (dirname(at) === at) return null;
  }
}
