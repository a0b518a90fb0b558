import { buildApplication, buildRouteMap, text_en } from "@stricli/core";
import { BRIEF, SEE_HELP } from "../text/cli.ts";
import { listCommand } from "./chat/list-command.ts";
import { tailCommand } from "./chat/tail-command.ts";
import { completionCommand } from "./completion/command.ts";
import type { CliContext } from "./context.ts";
import { doctorCommand } from "./doctor/command.ts";
import { EXIT } from "./exit-codes.ts";
import { CliFault } from "./fault.ts";
import { hookCommand } from "./hook-command.ts";
import { mcpCommand } from "./mcp-command.ts";
import { setupRoutes } from "./setup/command.ts";

const chat = buildRouteMap({ routes: { list: listCommand, tail: tailCommand }, docs: { brief: BRIEF.chat } });

/** Every command of thatch. Commands load what they need when they run, so that each starts fast. */
export function buildApp(version: string) {
  const root = buildRouteMap<string, CliContext>({
    routes: {
      chat,
      mcp: mcpCommand,
      hook: hookCommand,
      setup: setupRoutes,
      doctor: doctorCommand,
      completion: completionCommand,
    },
    docs: { brief: BRIEF.thatch },
  });
  return buildApplication(root, {
    name: "thatch",
    versionInfo: { currentVersion: version },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { disableAnsiColor: true },
    localization: {
      text: {
        ...text_en,
        noCommandRegisteredForInput: (input) => usage(text_en.noCommandRegisteredForInput(input)),
        exceptionWhileParsingArguments: (error) => usage(text_en.exceptionWhileParsingArguments(error, false)),
        exceptionWhileRunningCommand: (error) =>
          error instanceof CliFault ? `thatch: ${error.message}` : text_en.exceptionWhileRunningCommand(error, false),
      },
    },
    determineExitCode: (error) => (error instanceof CliFault ? error.exitCode : EXIT.failed),
  });
}

function usage(fault: string): string {
  return `thatch: ${fault}\n${SEE_HELP}`;
}
