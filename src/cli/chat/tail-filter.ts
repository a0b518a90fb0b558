import { parseWhen, type TailFilter } from "../../core/tail-filter.ts";
import { emptyWindow, wrongPattern, wrongWhen } from "../../text/cli.ts";
import { EXIT } from "../exit-codes.ts";
import { CliFault } from "../fault.ts";
import type { TailFlags } from "./tail-flags.ts";

/** The filter that the flags ask for. Rejects with a `CliFault` (usage) for a pattern or a moment that is none. */
export async function tailFilter(flags: TailFlags, now: number): Promise<TailFilter> {
  const since = moment("--since", flags.since, now);
  const until = moment("--until", flags.until, now);
  if (since !== null && until !== null && since >= until) {
    throw new CliFault(emptyWindow(flags.since ?? "", flags.until ?? ""), { exitCode: EXIT.usage });
  }
  return {
    grep: await Promise.all((flags.grep ?? []).map(matcher)),
    with: flags.with ?? [],
    from: flags.from ?? [],
    to: flags.to ?? [],
    since,
    until,
  };
}

/** RE2 matches in linear time: no pattern can keep the follower from following. */
async function matcher(pattern: string): Promise<(body: string) => boolean> {
  const { RE2JS } = await import("re2js");
  try {
    const compiled = RE2JS.compile(pattern);
    return (body) => compiled.matcher(body).find();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(`--grep ${wrongPattern(pattern, reason)}`, { exitCode: EXIT.usage, cause: error });
  }
}

function moment(flag: string, text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const at = parseWhen(text, now);
  if (at === null) throw new CliFault(`${flag} ${wrongWhen(text)}`, { exitCode: EXIT.usage });
  return at;
}
