import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Writes the files (path → content) into a new folder, hands it to the task, and deletes it. */
export function withTree<T>(files: Record<string, string>, task: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "thatch-tree-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return task(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
