import { createTail } from "../../chat/tail.ts";
import type { TailEvent } from "../../core/tail.ts";
import { isMissing } from "../../platform/is-missing.ts";
import { databaseReplaced, noDatabase } from "../../text/cli.ts";
import { jsonLine } from "../../text/json-line.ts";
import type { CliContext } from "../context.ts";
import { asFault } from "../fault.ts";
import { follow } from "./follow.ts";
import { tailFilter } from "./tail-filter.ts";
import type { TailFlags } from "./tail-flags.ts";

/** Prints the backlog, then what comes, until it is interrupted or nobody reads it any more. Makes no database where there is none. */
export async function runTail(this: CliContext, flags: TailFlags): Promise<void> {
  const { databaseFile } = this.settings;
  const filter = await tailFilter(flags, this.clock.now());
  const tail = createTail(this.store, filter, () => this.output.err(`${databaseReplaced(databaseFile)}\n`));
  const count = Number.isFinite(flags.lines) ? flags.lines : null;
  const print = async (batches: AsyncIterable<readonly TailEvent[]>) => {
    for await (const events of batches) this.output.out(events.map((event) => `${jsonLine(event)}\n`).join(""));
  };

  if (flags.follow) {
    let begun = false;
    await follow(this, async () => {
      await print(begun ? tail.news() : tail.backlog(count));
      begun = true;
    });
    return;
  }
  if (isMissing(databaseFile)) {
    this.output.err(`${noDatabase(databaseFile)}\n`);
    return;
  }
  await print(tail.backlog(count)).catch((error: unknown) => {
    throw asFault(error);
  });
}
