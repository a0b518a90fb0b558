import { groupRoster } from "../core/roster.ts";
import type { RosterRow } from "../core/session.ts";
import type { Chat } from "./chat.ts";

/** The whole directory in its two groups, each in roster order. */
export interface RosterReading {
  readonly active: readonly RosterRow[];
  readonly stale: readonly RosterRow[];
  readonly now: number;
}

/** Reads the directory. */
export async function list(chat: Pick<Chat, "store" | "clock" | "pollMs">): Promise<RosterReading> {
  const now = chat.clock.now();
  return { ...groupRoster(await chat.store.roster(), now, chat.pollMs), now };
}
