import { setupClaudeCode } from "../../setup/claude-code.ts";
import { setupOpencode } from "../../setup/opencode.ts";
import type { SetupOptions, SetupResult } from "../../setup/setup.ts";
import { changeLine, faultLine, noticeLine } from "../../text/setup.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { setupEnvironment } from "./environment.ts";

export type SetupFlags = SetupOptions;

export function runSetupClaudeCode(this: CliContext, flags: SetupFlags & { readonly allowTools: boolean }): void {
  report(this, flags, setupClaudeCode(flags, setupEnvironment(this)));
}

export function runSetupOpencode(this: CliContext, flags: SetupFlags): void {
  report(this, flags, setupOpencode(flags, setupEnvironment(this)));
}

function report({ output, process: program }: CliContext, { dryRun }: SetupFlags, result: SetupResult): void {
  for (const change of result.changes) output.out(`${changeLine(change, dryRun)}\n`);
  const changed = result.changes.some(({ change }) => change !== "unchanged");
  for (const notice of changed ? result.notices : []) output.err(`! ${noticeLine(notice)}\n`);
  for (const fault of result.faults) output.err(`✗ ${faultLine(fault)}\n`);
  if (result.faults.length > 0) program.exitCode = EXIT.failed;
}
