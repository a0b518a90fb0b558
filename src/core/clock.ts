/** Where the time comes from, so that a rule can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. It may jump either way: order is never taken from it. */
  now(): number;
}
