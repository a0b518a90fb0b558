import type { CheckoutKind } from "./session.ts";

/** What stands under the name `.git`: the project's own folder, or a file that names another one. */
export type DotGit = { readonly kind: "folder" } | { readonly kind: "file"; readonly text: string };

/** Where git keeps what belongs to a linked worktree. A submodule's `.git` is a file, too, and names a folder under `modules`. */
const OF_WORKTREE = /^gitdir:.*[\\/]worktrees[\\/][^\\/\r\n]+[\\/]?\s*$/m;

/** The kind of checkout this `.git` makes; null where there is none. */
export function checkoutKind(dotGit: DotGit | null): CheckoutKind | null {
  if (dotGit === null) return null;
  return dotGit.kind === "file" && OF_WORKTREE.test(dotGit.text) ? "worktree" : "root";
}
