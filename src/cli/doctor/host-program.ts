import { programsOnPath } from "../../platform/programs.ts";
import { runProgram } from "../../platform/run-program.ts";
import { FINDING } from "../../text/doctor.ts";
import { broken, type Check, ok } from "./check.ts";

/** A host says its version at once; one that takes longer than this does not start. */
const VERSION_MS = 10_000;

/** The host's program in PATH and the version it says, or null where there is none or it does not start. */
export async function checkHostProgram(
  subject: string,
  program: string,
  path: string | undefined,
): Promise<{ check: Check; version: string | null }> {
  const [first] = programsOnPath(program, path);
  if (first === undefined) return { check: ok(subject, FINDING.notInstalled(program)), version: null };
  const end = await runProgram([first.path, "--version"], VERSION_MS);
  if (end.kind === "failed" || end.code !== 0) {
    const reason = end.kind === "failed" ? end.reason : `exit code ${end.code}, ${end.stderr.trim()}`;
    return { check: broken(subject, FINDING.silent(first.path, reason), FINDING.silentFix(subject)), version: null };
  }
  // Some put their name behind it.
  const version = /\d+\.\d+\.\d+\S*/.exec(end.stdout)?.[0] ?? end.stdout.trim();
  return { check: ok(subject, FINDING.version(version, first.path)), version };
}
