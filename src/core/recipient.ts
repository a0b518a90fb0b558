import type { Session } from "./session.ts";

/** Characters of a session id that are enough to name it, if no other begins with them. */
const SHORTEST_PREFIX = 8;

/** Whether an address is long enough to be the start of a session id. */
export function isStartOfId(address: string): boolean {
  return address.length >= SHORTEST_PREFIX;
}

/** Whom an address names. */
export type RecipientMatch =
  | { readonly kind: "match"; readonly session: Session }
  | { readonly kind: "ambiguous"; readonly matches: Session[] }
  | { readonly kind: "none" };

/**
 * Finds whom an address names: a session id, a name in any case (an @ before it is allowed), or the start of exactly one session id.
 * Never a guess: "ada" is not "ada-2".
 */
export function matchRecipient(wanted: string, rows: readonly Session[]): RecipientMatch {
  const address = wanted.trim().replace(/^@/, "");
  const exact =
    rows.find((row) => row.sessionId === address) ??
    rows.find((row) => row.name.toLowerCase() === address.toLowerCase());
  if (exact) return { kind: "match", session: exact };
  if (!isStartOfId(address)) return { kind: "none" };
  const [first, ...others] = rows.filter((row) => row.sessionId.startsWith(address));
  if (!first) return { kind: "none" };
  return others.length === 0 ? { kind: "match", session: first } : { kind: "ambiguous", matches: [first, ...others] };
}
