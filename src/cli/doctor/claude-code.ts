import { runProgram } from "../../platform/run-program.ts";
import { type ClaudePresence, claudePresence } from "../../setup/present.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { setupEnvironment } from "../setup/environment.ts";
import { checkActive } from "./active.ts";
import { broken, type Check, ok, warn } from "./check.ts";
import { checkHostProgram } from "./host-program.ts";

/** The first Claude Code with messaging of its own. */
const NATIVE_MESSAGING_SINCE = "2.1.224";
/** A hook ends, and a server answers, within a fraction of it. */
const RUN_MS = 10_000;
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "thatch-doctor", version: "1" } },
});
const PARTS = ["server", "hooks"] as const;

/** Claude Code: its program, thatch's server and hooks in its settings and whether they run, and whether its own messaging stands beside. */
export async function checkClaudeCode(context: CliContext): Promise<Check[]> {
  const is = SUBJECT.claudeCode;
  const { check, version } = await checkHostProgram(is, "claude", context.environment.PATH);
  const checks = [check];
  let presence: ClaudePresence[];
  try {
    presence = claudePresence(setupEnvironment(context)).filter(({ state }) => state !== "none");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [...checks, broken(is, FINDING.claudeUnread(reason), FINDING.claudeUnreadFix)];
  }
  for (const part of PARTS) {
    const found = presence.filter((one) => one.part === part);
    // Where there is no Claude Code, or nothing of thatch in it at all, one word is enough.
    if (found.length === 0 && (presence.length > 0 || (version !== null && part === "server"))) {
      checks.push(warn(is, FINDING.claudeNone(part), FINDING.claudeNoneFix));
    }
    for (const one of found) checks.push(await checkPart(one));
    if (found.length > 1) {
      const files = found.map(({ file }) => file);
      checks.push(warn(is, FINDING.claudeTwice(part, files), FINDING.claudeTwiceFix));
    }
  }
  if (presence.length > 0) checks.push(...(await checkActive(context, "claude-code", is)));
  const number = /\d+\.\d+\.\d+/.exec(version ?? "")?.[0];
  if (number !== undefined && Bun.semver.order(number, NATIVE_MESSAGING_SINCE) >= 0) {
    checks.push(ok(is, FINDING.native(number)));
  }
  return checks;
}

async function checkPart({ part, file, state, command }: ClaudePresence): Promise<Check> {
  const is = SUBJECT.claudeCode;
  const end = await runProgram(command ?? [], RUN_MS, part === "server" ? `${INITIALIZE}\n` : "{}");
  const reason =
    end.kind === "failed" ? end.reason : end.code !== 0 ? `exit code ${end.code}, ${end.stderr.trim()}` : null;
  if (reason !== null) return broken(is, FINDING.claudeDead(part, file, reason), FINDING.claudeOtherFix);
  if (part === "server" && end.kind === "ended" && !end.stdout.includes('"serverInfo"')) {
    return broken(is, FINDING.claudeDead(part, file, "it gave no answer"), FINDING.claudeOtherFix);
  }
  if (state === "other") return warn(is, FINDING.claudeOther(part, file), FINDING.claudeOtherFix);
  return ok(is, FINDING.claudeCurrent(part, file));
}
