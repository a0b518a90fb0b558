import { buildCommand } from "@stricli/core";
import { BRIEF, wrongShell } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import { SHELLS, type Shell } from "./scripts.ts";

export const completionCommand = buildCommand<Record<never, never>, [Shell], CliContext>({
  docs: { brief: BRIEF.completion },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: BRIEF.completionShell,
          placeholder: "shell",
          parse: parseShell,
          proposeCompletions: (partial) => SHELLS.filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
  },
  loader: async () => {
    const { completionScript } = await import("./scripts.ts");
    return function (this: CliContext, _flags, shell) {
      this.output.out(completionScript(shell));
    };
  },
});

function parseShell(text: string): Shell {
  const shell = SHELLS.find((known) => known === text);
  if (shell === undefined) throw new Error(wrongShell(text));
  return shell;
}
