/**
 * Diagnostics for whoever looks for the cause of a failure. Never throws and never writes to a terminal.
 * `scope` is the part that speaks, such as `poller`.
 */
export type Log = (scope: string, message: string, error?: unknown) => void;
