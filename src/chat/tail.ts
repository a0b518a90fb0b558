import type { ChatStore } from "../core/store.ts";
import { NOTHING_TOLD, type TailEvent, type TailState, tailDiff } from "../core/tail.ts";
import { filterFeed, type TailFilter } from "../core/tail-filter.ts";

/** Messages fetched at a time: at most 64 MB of bodies, and few enough that a page is there at once. */
const PAGE = 1000;

/** Follows all mailboxes and reads nothing twice. Every operation rejects with the store's `ChatError`, and can be asked again. */
export interface Tail {
  /** The events of the last `count` messages the filter accepts (all for null), in batches. Ask it once, before `news`. */
  backlog(count: number | null): AsyncGenerator<readonly TailEvent[]>;
  /** The events since the last batch, in batches, until there are no more. Nothing is told twice, and what fails is told the next time. */
  news(): AsyncGenerator<readonly TailEvent[]>;
}

/** `onReplaced` is called when the database turns out to be another one, whose messages then all count as new. */
export function createTail(
  store: Pick<ChatStore, "feed" | "feedState" | "feedChanges">,
  filter: TailFilter,
  onReplaced: () => void,
): Tail {
  let state = NOTHING_TOLD;

  async function* news(): AsyncGenerator<readonly TailEvent[]> {
    for (;;) {
      const { messages, newestId } = await store.feedChanges(state, PAGE);
      if (newestId < state.newestId) {
        onReplaced();
        state = NOTHING_TOLD;
        continue;
      }
      if (messages.length === 0) return;
      const { events } = tailDiff(state, filterFeed(messages, filter));
      state = tailDiff(state, messages).state;
      if (events.length > 0) yield events;
    }
  }

  return {
    news,
    async *backlog(count) {
      if (count === null) return yield* news();
      // The state comes first: a message that is stored or read from here on is news.
      const known = await store.feedState();
      const last = await lastAccepted(store, filter, count, known.newestId);
      const { events, state: told } = tailDiff(NOTHING_TOLD, last);
      state = withoutRead(known, told, last);
      if (events.length > 0) yield events;
    },
  };
}

async function lastAccepted(store: Pick<ChatStore, "feed">, filter: TailFilter, count: number, newestId: number) {
  let accepted: Awaited<ReturnType<ChatStore["feed"]>> = [];
  let before = newestId + 1;
  // The first page is all that is needed where nothing is filtered out.
  for (let size = count; accepted.length < count; size = PAGE) {
    const page = await store.feed(size, before);
    const oldest = page[0];
    if (oldest === undefined) break;
    before = oldest.id;
    accepted = [...filterFeed(page, filter), ...accepted];
  }
  return count === 0 ? [] : accepted.slice(-count);
}

/** What was read between the two looks has been told with the backlog. */
function withoutRead(known: TailState, told: TailState, shown: readonly { readonly id: number }[]): TailState {
  const unread = new Set(known.unread);
  for (const { id } of shown) if (!told.unread.has(id)) unread.delete(id);
  return { newestId: known.newestId, unread };
}
