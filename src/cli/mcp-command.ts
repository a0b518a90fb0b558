import { buildCommand } from "@stricli/core";
import { BRIEF } from "../text/cli.ts";
import type { CliContext } from "./context.ts";

export const mcpCommand = buildCommand<Record<never, never>, [], CliContext>({
  docs: { brief: BRIEF.mcp },
  parameters: {},
  loader: async () => {
    const { runMcp } = await import("../hosts/mcp/run-mcp.ts");
    return function (this: CliContext) {
      return runMcp(this.environment, process.cwd(), this.version);
    };
  },
});
