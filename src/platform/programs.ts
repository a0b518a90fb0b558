import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Every program of this name in PATH, in the order of PATH: where it stands, and the file it leads to. Each file once. */
export function programsOnPath(name: string, path: string | undefined): { path: string; file: string }[] {
  const found = new Map<string, string>();
  for (const folder of (path ?? "").split(delimiter)) {
    const candidate = join(folder || ".", name);
    const file = executable(candidate);
    if (file !== null && !found.has(file)) found.set(file, candidate);
  }
  return [...found].map(([file, candidate]) => ({ path: candidate, file }));
}

function executable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    // Not there, a dangling link, or not for us to run: then it is no program.
    return null;
  }
}
