import type { NamedMessage } from "./message.ts";

/** Which messages a log shows. Each given option has to accept a message. */
export interface TailFilter {
  /** All have to accept the body. */
  readonly grep: readonly ((body: string) => boolean)[];
  /** Parts of names, in any case; one of them in either end's name is enough. */
  readonly with: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Sent at this time or later. */
  readonly since: number | null;
  /** Sent before this time. */
  readonly until: number | null;
}

/** The messages of the feed that the filter accepts. */
export function filterFeed(feed: readonly NamedMessage[], filter: TailFilter): NamedMessage[] {
  return feed.filter(
    (message) =>
      (filter.since === null || message.sentAt >= filter.since) &&
      (filter.until === null || message.sentAt < filter.until) &&
      named(filter.from, message.senderName) &&
      named(filter.to, message.recipientName) &&
      named(filter.with, message.senderName, message.recipientName) &&
      filter.grep.every((matches) => matches(message.body)),
  );
}

function named(wanted: readonly string[], ...names: (string | null)[]): boolean {
  if (wanted.length === 0) return true;
  return wanted.some((part) => names.some((name) => name?.toLowerCase().includes(part.toLowerCase()) ?? false));
}

const AGE = /^(\d+(?:\.\d+)?)(s|m|h|d)$/;
const AGE_UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const ISO_8601 = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A moment given as ISO 8601 or as an age such as "90s" or "3d"; null when it is neither. Without an offset it is meant in the
 * time zone of whoever asks, a bare day too.
 */
export function parseWhen(text: string, now: number): number | null {
  const given = text.trim();
  const age = AGE.exec(given);
  if (age) return now - Number(age[1]) * AGE_UNIT_MS[age[2] as keyof typeof AGE_UNIT_MS];
  if (!ISO_8601.test(given) || !isCalendarDay(given.slice(0, 10))) return null;
  // `Date.parse` takes a bare day for one in UTC, but a day with a time for local.
  const at = Date.parse(given.length === 10 ? `${given}T00:00` : given);
  return Number.isNaN(at) ? null : at;
}

/** `Date.parse` takes a 30th of February for the 2nd of March. */
function isCalendarDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
