import type { CheckoutKind } from "./session.ts";

/** The kind of checkout whose `.git` is a file (a linked worktree), a folder (the project's own), or missing. */
export function checkoutKind(dotGit: "file" | "folder" | null): CheckoutKind | null {
  if (dotGit === null) return null;
  return dotGit === "file" ? "worktree" : "root";
}
