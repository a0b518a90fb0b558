/** How often a condition is looked at again. Short against anything opencode does, long enough to leave it the processor. */
const LOOK_AGAIN_MS = 15;

/**
 * Waits until `probe` returns something truthy and resolves to it. What `probe` throws counts as "not yet".
 * Rejects after `timeoutMs` with `description` and whatever `probe` came to last.
 */
export async function until<T>(
  description: string,
  probe: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<Exclude<T, false | 0 | "" | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value as Exclude<T, false | 0 | "" | null | undefined>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms for ${description}. Last seen: ${shown(last)}`);
    }
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

/** Rejects with `description` when `promise` is not settled within `timeoutMs`. */
export async function within<T>(description: string, promise: Promise<T>, timeoutMs = 30_000): Promise<T> {
  const { promise: expiry, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Waited ${timeoutMs} ms for ${description}.`)), timeoutMs);
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
