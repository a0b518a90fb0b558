import { utf8Length } from "./message.ts";
import type { PageLimits } from "./store.ts";

/** What one reading returns at most: more would crowd out the reader's own work, or be cut by its host. */
export const READ_LIMITS: PageLimits = { messages: 50, bytes: 24 * 1024 };

/** The longest head of `messages` that fits both limits; at least one message if there is any. */
export function pageOf<T extends { readonly body: string }>(messages: readonly T[], limits: PageLimits): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const message of messages) {
    bytes += utf8Length(message.body);
    if (page.length > 0 && (page.length >= limits.messages || bytes > limits.bytes)) break;
    page.push(message);
  }
  return page;
}
