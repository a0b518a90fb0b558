import { readFileSync } from "node:fs";
import { splitProcCmdline, splitPsArgs } from "../core/command-line.ts";

/**
 * The arguments this process was started with, as the operating system has them. `process.argv` does not do: a host may run
 * plugins in a worker thread, whose argv is only the worker's script. Throws when the system does not tell.
 */
export function processArgs(): string[] {
  if (process.platform === "linux") return splitProcCmdline(readFileSync("/proc/self/cmdline", "utf8"));
  const ps = Bun.spawnSync(["ps", "-o", "args=", "-p", String(process.pid)]);
  if (!ps.success)
    throw new Error(`ps -o args= -p ${process.pid} failed with ${ps.exitCode}: ${ps.stderr.toString().trim()}`);
  return splitPsArgs(ps.stdout.toString());
}
