import { list, type RosterReading } from "../../chat/list.ts";
import { inspectDatabase } from "../../store/sqlite/inspect.ts";
import type { CliContext } from "../context.ts";

/**
 * The directory as it is, or null where there is none that can be read as it stands: opening the store would make or migrate one, and a
 * look must not. Rejects with the store's `ChatError`.
 */
export async function readDirectory({ settings, store, clock }: CliContext): Promise<RosterReading | null> {
  const found = inspectDatabase(settings.databaseFile);
  if (found.kind !== "readable" || found.owner !== "thatch") return null;
  if (found.schema !== found.supported || found.integrity !== "ok") return null;
  return list({ store, clock, pollMs: settings.pollMs });
}
