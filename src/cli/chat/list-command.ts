import { buildCommand } from "@stricli/core";
import { BRIEF, wrongDays } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import type { ListFlags } from "./list.ts";

export const listCommand = buildCommand<ListFlags, [], CliContext>({
  docs: { brief: BRIEF.list },
  parameters: {
    flags: {
      stale: { kind: "parsed", parse: parseDays, optional: true, brief: BRIEF.listStale, placeholder: "DAYS|all" },
      json: { kind: "boolean", default: false, brief: BRIEF.listJson },
    },
  },
  loader: async () => (await import("./list.ts")).runList,
});

function parseDays(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(wrongDays(text));
  return Number(text);
}
