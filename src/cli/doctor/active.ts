import { existsSync } from "node:fs";
import { list } from "../../chat/list.ts";
import type { Host } from "../../core/session.ts";
import { FINDING } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { type Check, ok } from "./check.ts";

/** How many sessions of a host are active now. Nothing is said where the directory cannot be read: the sessions' own check says why. */
export async function checkActive(
  { settings, store, clock }: CliContext,
  host: Host,
  subject: string,
): Promise<Check[]> {
  if (!existsSync(settings.databaseFile)) return [];
  try {
    const { active } = await list({ store, clock, pollMs: settings.pollMs });
    return [ok(subject, FINDING.active(active.filter((row) => row.host === host).length, subject))];
  } catch {
    // The same failure is the finding of the sessions' check.
    return [];
  }
}
