/** `ok`; `warn`: it works, and something is worth knowing; `broken`: thatch or a part of it does not work. */
export type Level = "ok" | "warn" | "broken";

/** One line of the report. */
export interface Check {
  readonly subject: string;
  readonly level: Level;
  readonly finding: string;
  /** What to do about it; null when nothing is to be done. */
  readonly fix: string | null;
}

export function ok(subject: string, finding: string): Check {
  return { subject, level: "ok", finding, fix: null };
}

export function warn(subject: string, finding: string, fix: string): Check {
  return { subject, level: "warn", finding, fix };
}

export function broken(subject: string, finding: string, fix: string): Check {
  return { subject, level: "broken", finding, fix };
}
