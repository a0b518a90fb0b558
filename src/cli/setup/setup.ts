import { setupClaudeCode } from "../../setup/claude-code.ts";
import { setupOpencode } from "../../setup/opencode.ts";
import type { SetupEnvironment, SetupOptions, SetupResult } from "../../setup/setup.ts";
import { changeLine, faultLine, noticeLine } from "../../text/setup.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";

export type SetupFlags = SetupOptions;

export function runSetupClaudeCode(this: CliContext, flags: SetupFlags & { readonly allowTools: boolean }): void {
  report(this, flags, setupClaudeCode(flags, environmentOf(this)));
}

export function runSetupOpencode(this: CliContext, flags: SetupFlags): void {
  report(this, flags, setupOpencode(flags, environmentOf(this)));
}

/** The settings name the very Bun that runs now: it is one that exists. */
function environmentOf({ environment, root, settings }: CliContext): SetupEnvironment {
  return {
    root,
    bun: process.execPath,
    variables: environment,
    home: settings.home,
    directory: process.cwd(),
    stateFolder: settings.setupFolder,
  };
}

function report({ output, process: program }: CliContext, { dryRun }: SetupFlags, result: SetupResult): void {
  for (const change of result.changes) output.out(`${changeLine(change, dryRun)}\n`);
  const changed = result.changes.some(({ change }) => change !== "unchanged");
  for (const notice of changed ? result.notices : []) output.err(`! ${noticeLine(notice)}\n`);
  for (const fault of result.faults) output.err(`✗ ${faultLine(fault)}\n`);
  if (result.faults.length > 0) program.exitCode = EXIT.failed;
}
