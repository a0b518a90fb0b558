import type { Host } from "../../core/session.ts";
import { FINDING } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { type Check, ok } from "./check.ts";
import { readDirectory } from "./directory.ts";

/** How many sessions of a host are active now. Nothing is said where the directory cannot be read: the sessions' own check says why. */
export async function checkActive(context: CliContext, host: Host, subject: string): Promise<Check[]> {
  try {
    const directory = await readDirectory(context);
    if (directory === null) return [];
    return [ok(subject, FINDING.active(directory.active.filter((row) => row.host === host).length, subject))];
  } catch {
    // The same failure is the finding of the sessions' check.
    return [];
  }
}
