import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkoutKind, type DotGit } from "../core/checkout.ts";
import type { Log } from "../core/log.ts";
import type { CheckoutKind } from "../core/session.ts";

/** A `.git` file holds one path, and a path has at most 4,096 bytes. */
const DOT_GIT_READ = 8 * 1024;

/** The kind of checkout that `directory` is in; null where there is none, or where it cannot be looked at, which is logged. */
export function checkoutOf(directory: string, log: Log): CheckoutKind | null {
  try {
    return checkoutKind(findDotGit(directory));
  } catch (error) {
    log("git", `${directory} cannot be looked at for .git; its checkout kind stays unknown`, error);
    return null;
  }
}

/** The `.git` at `directory` or the nearest folder above it. Throws when one of them cannot be looked into. */
function findDotGit(directory: string): DotGit | null {
  for (let at = directory; ; at = dirname(at)) {
    const file = join(at, ".git");
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry?.isDirectory()) return { kind: "folder" };
    // Anything else (a pipe, which would be waited for) is nothing git uses.
    if (entry?.isFile()) return { kind: "file", text: head(file) };
    if (dirname(at) === at) return null;
  }
}

function head(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(DOT_GIT_READ);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}
