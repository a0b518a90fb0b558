import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Writes the files (path → content) into a new folder, hands it to the task, and deletes it once the task is done. */
export function withTree<T>(files: Record<string, string>, task: (folder: string) => Promise<T>): Promise<T>;
export function withTree<T>(files: Record<string, string>, task: (folder: string) => T): T;
export function withTree<T>(files: Record<string, string>, task: (folder: string) => T | Promise<T>): T | Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-tree-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let result: T | Promise<T>;
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    result = task(folder);
  } catch (error) {
    remove();
    throw error;
  }
  if (result instanceof Promise) return result.finally(remove);
  remove();
  return result;
}
