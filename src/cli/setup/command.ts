import { buildCommand, buildRouteMap } from "@stricli/core";
import { BRIEF } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import type { SetupFlags } from "./setup.ts";

const flags = {
  global: { kind: "boolean", default: false, brief: BRIEF.setupGlobal },
  dryRun: { kind: "boolean", default: false, brief: BRIEF.setupDryRun },
  remove: { kind: "boolean", default: false, brief: BRIEF.setupRemove },
} as const;

const claudeCode = buildCommand<SetupFlags & { readonly allowTools: boolean }, [], CliContext>({
  docs: { brief: BRIEF.setupClaudeCode },
  parameters: { flags: { ...flags, allowTools: { kind: "boolean", default: false, brief: BRIEF.setupAllowTools } } },
  loader: async () => (await import("./setup.ts")).runSetupClaudeCode,
});

const opencode = buildCommand<SetupFlags, [], CliContext>({
  docs: { brief: BRIEF.setupOpencode },
  parameters: { flags },
  loader: async () => (await import("./setup.ts")).runSetupOpencode,
});

export const setupRoutes = buildRouteMap<string, CliContext>({
  routes: { "claude-code": claudeCode, opencode },
  docs: { brief: BRIEF.setup },
});
