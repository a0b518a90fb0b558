import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ExitCode, proposeCompletions, run } from "@stricli/core";
import { systemClock } from "../platform/clock.ts";
import { readSettings } from "../platform/settings.ts";
import { createSqliteStore } from "../store/sqlite/store.ts";
import { buildApp } from "./app.ts";
import { PROPOSE } from "./completion/scripts.ts";
import type { CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { processOutput } from "./output.ts";

/** Usage faults of the library under the exit code that scripts expect. */
const USAGE: readonly unknown[] = [ExitCode.UnknownCommand, ExitCode.InvalidArgument];

const root = dirname(dirname(import.meta.dir));
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const settings = readSettings(process.env);
const output = processOutput((code) => process.exit(code));
const program: CliContext["process"] & { exitCode?: number | string | null } = {
  stdout: { write: output.out },
  stderr: { write: output.err },
};
const context: CliContext = {
  process: program,
  environment: process.env,
  settings,
  clock: systemClock,
  output,
  store: createSqliteStore({ file: settings.databaseFile }),
  root,
  version,
};

const app = buildApp(version);
const [first, ...others] = process.argv.slice(2);
if (first === PROPOSE) {
  for (const { completion } of await proposeCompletions(app, others, context)) output.out(`${completion}\n`);
} else {
  // The doctor tells them as findings.
  if (first !== "doctor") for (const warning of settings.warnings) output.err(`thatch: ${warning}\n`);
  await run(app, process.argv.slice(2), context);
  const { exitCode } = program;
  process.exitCode = USAGE.includes(exitCode)
    ? EXIT.usage
    : typeof exitCode === "number" && exitCode < 0
      ? EXIT.failed
      : (exitCode ?? 0);
}
context.store.close();
