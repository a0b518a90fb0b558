import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** This checkout. */
export const root = join(import.meta.dir, "..", "..");

export interface Run {
  code: number | null;
  stdout: string;
  /** Standard output, then standard error. */
  output: string;
}

/** Runs one of the project's node programs to its end. The environment is this one's with the given names changed. */
export function runNode(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Run {
  const result = spawnSync("node", args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    encoding: "utf8",
  });
  if (result.error) throw new Error(`node ${args.join(" ")} could not be started`, { cause: result.error });
  return { code: result.status, stdout: result.stdout, output: result.stdout + result.stderr };
}
