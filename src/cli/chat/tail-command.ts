import { buildCommand } from "@stricli/core";
import { BRIEF, wrongCount } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import type { TailFlags } from "./tail-flags.ts";

export const tailCommand = buildCommand<TailFlags, [], CliContext>({
  docs: { brief: BRIEF.tail },
  parameters: {
    flags: {
      lines: { kind: "parsed", parse: parseCount, default: "20", brief: BRIEF.tailLines, placeholder: "N|all" },
      follow: { kind: "boolean", default: true, brief: BRIEF.tailFollow },
      grep: { kind: "parsed", parse: String, variadic: true, optional: true, brief: BRIEF.tailGrep, placeholder: "RE" },
      with: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: BRIEF.tailWith,
        placeholder: "NAME",
      },
      from: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: BRIEF.tailFrom,
        placeholder: "NAME",
      },
      to: { kind: "parsed", parse: String, variadic: true, optional: true, brief: BRIEF.tailTo, placeholder: "NAME" },
      since: { kind: "parsed", parse: String, optional: true, brief: BRIEF.tailSince, placeholder: "T" },
      until: { kind: "parsed", parse: String, optional: true, brief: BRIEF.tailUntil, placeholder: "T" },
    },
    aliases: { n: "lines" },
  },
  loader: async () => (await import("./tail.ts")).runTail,
});

/** Infinity for all. */
function parseCount(text: string): number {
  if (text === "all") return Number.POSITIVE_INFINITY;
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new Error(wrongCount(text));
  return count;
}
