import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { type Check, ok } from "./check.ts";
import { checkHostProgram } from "./host-program.ts";

/** The first Claude Code with messaging of its own. */
const NATIVE_MESSAGING_SINCE = "2.1.224";

/** Claude Code, and whether its own messaging stands beside thatch's. */
export async function checkClaudeCode({ environment }: CliContext): Promise<Check[]> {
  const { check, version } = await checkHostProgram(SUBJECT.claudeCode, "claude", environment.PATH);
  const number = /\d+\.\d+\.\d+/.exec(version ?? "")?.[0];
  if (number === undefined || Bun.semver.order(number, NATIVE_MESSAGING_SINCE) < 0) return [check];
  return [check, ok(SUBJECT.claudeCode, FINDING.native(number))];
}
