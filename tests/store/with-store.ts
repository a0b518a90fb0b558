import { test } from "bun:test";
import type { ChatStore } from "../../src/core/store.ts";
import type { Bench, MakeBench } from "./fixtures.ts";

type Body = (store: ChatStore, bench: Bench) => Promise<void>;

/** A `test` that gets a fresh store, and the bench to open more connections to the same database. */
export function storeTests(makeBench: MakeBench): (title: string, body: Body) => void {
  return (title, body) => {
    test(title, async () => {
      const bench = await makeBench();
      const store = bench.open();
      try {
        await body(store, bench);
      } finally {
        store.close();
        await bench.dispose();
      }
    });
  };
}
