import { buildCommand } from "@stricli/core";
import { BRIEF } from "../text/cli.ts";
import type { CliContext } from "./context.ts";

export const hookCommand = buildCommand<Record<never, never>, [string], CliContext>({
  docs: { brief: BRIEF.hook },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: BRIEF.hookHost, placeholder: "host", parse: String, proposeCompletions: () => ["claude-code"] },
      ],
    },
  },
  loader: async () => {
    const { answerStdin } = await import("../hook/answer.ts");
    return async function (this: CliContext, _flags, host) {
      const { stdout, stderr, exitCode } = await answerStdin(host, this.environment, process.ppid);
      this.output.out(stdout);
      this.output.err(stderr);
      this.process.exitCode = exitCode;
    };
  },
});
