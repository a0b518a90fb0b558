import type { Log } from "../../core/log.ts";

/**
 * Wraps a hook so that nothing it throws reaches opencode, which would otherwise lose the person's prompt or the tool's result.
 * The failure goes to the debug log.
 */
export function contained<Arguments extends unknown[]>(
  log: Log,
  hook: string,
  body: (...args: Arguments) => void | Promise<void>,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    try {
      await body(...args);
    } catch (error) {
      log(`hook ${hook}`, "failed; opencode goes on without it", error);
    }
  };
}
