import { oneLine } from "../../core/one-line.ts";
import { jsonLine } from "../../text/json-line.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { lookAtTerminal } from "../terminal.ts";
import type { Check, Level } from "./check.ts";
import { checkClaudeCode } from "./claude-code.ts";
import { checkConfig } from "./config.ts";
import { checkDatabase } from "./database.ts";
import { checkOpencode } from "./opencode.ts";
import { checkHosts, checkProgram } from "./program.ts";
import { checkSessions } from "./sessions.ts";

export interface DoctorFlags {
  readonly json: boolean;
}

const MARKS: Readonly<Record<Level, { mark: string; color: string }>> = {
  ok: { mark: "✓", color: "\x1b[32m" },
  warn: { mark: "!", color: "\x1b[33m" },
  broken: { mark: "✗", color: "\x1b[31m" },
};
const RESET = "\x1b[0m";
/** Paths and messages of other programs may be long, and stand on one line. */
const LONGEST_FINDING = 2_000;

/** Checks everything, prints a line a check, and ends with 1 when something is broken. Changes nothing. */
export async function runDoctor(this: CliContext, flags: DoctorFlags): Promise<void> {
  const parts = [checkProgram, checkHosts, checkConfig, checkDatabase, checkOpencode, checkClaudeCode, checkSessions];
  const { color } = await lookAtTerminal(this.environment);
  let failed = false;
  for (const part of parts) {
    for (const check of await part(this)) {
      failed ||= check.level === "broken";
      this.output.out(flags.json ? `${jsonLine(check)}\n` : report(check, color));
    }
  }
  if (failed) this.process.exitCode = EXIT.failed;
}

function report({ subject, level, finding, fix }: Check, color: boolean): string {
  const { mark, color: painted } = MARKS[level];
  const head = `${color ? `${painted}${mark}${RESET}` : mark} ${subject.padEnd(SUBJECT_WIDTH)} `;
  const lines = [`${head}${oneLine(finding, LONGEST_FINDING)}\n`];
  if (fix !== null) lines.push(`${" ".repeat(2 + SUBJECT_WIDTH)} → ${oneLine(fix, LONGEST_FINDING)}\n`);
  return lines.join("");
}

/** The longest subject: "Claude Code". */
const SUBJECT_WIDTH = 11;
