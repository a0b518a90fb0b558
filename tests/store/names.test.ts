import { expect, test } from "bun:test";
import { makeSqliteBench } from "./bench.ts";
import { startChild } from "./child/start.ts";
import { DAY, join, newSession, registered, sweep, T0 } from "./fixtures.ts";

test("16 processes that register 200 sessions each get 3,200 names, and none ever returns", async () => {
  const bench = await makeSqliteBench();
  const children = Array.from({ length: 16 }, (_, i) => startChild("register.ts", [bench.file, `${i}`, "200"]));
  for (const child of children) expect(await child.line()).toBe("ready");
  for (const child of children) child.go();
  const drawn: string[][] = await Promise.all(children.map(async (child) => JSON.parse(await child.line())));
  for (const child of children) expect(await child.exited).toBe(0);
  const names = new Set(drawn.flat().map((name) => name.toLowerCase()));
  expect(drawn.map((list) => list.length)).toEqual(Array(16).fill(200));
  expect(names.size).toBe(3200);

  let store = bench.open();
  const again = async (id: string, tombstone: "respect" | "clear") => {
    for (const base of ["ada", "brook", "cedar"]) {
      const outcome = await store.register(newSession(`${id}-${base}`), { base, at: T0, tombstone });
      const { name } = registered(outcome);
      expect(names.has(name)).toBe(false);
      names.add(name);
    }
  };
  for (let i = 0; i < 200; i++) await store.leave(`0-${i}`, T0);
  await again("after leaving", "respect");
  expect(registered(await store.register(newSession("0-0"), { base: "ada", at: T0, tombstone: "clear" })).name).toMatch(
    /^ada-\d+$/,
  );
  store.close();

  store = bench.open();
  await again("after a restart", "respect");
  await join(store, "late", "dune", T0 + 8 * DAY);
  expect((await sweep(store, T0 + 8 * DAY, 7 * DAY)).sessions).toBe(3000 + 3 + 1 + 3);
  await again("after pruning", "respect");
  store.close();
  await bench.dispose();
}, 60_000);
