import { expect, test } from "bun:test";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { isBusy } from "../../src/store/sqlite/failure.ts";
import { makeSqliteBench } from "./bench.ts";
import { join } from "./fixtures.ts";

test("a transaction holds the write lock from its start, and one that throws leaves nothing behind", async () => {
  const bench = await makeSqliteBench();
  const store = bench.open();
  await join(store, "s1");
  const [one, two] = [new Connection(bench.file, 1), new Connection(bench.file, 1)];

  let refused: unknown;
  const stop = new Error("stop");
  expect(() =>
    one.immediate(() => {
      try {
        two.immediate(() => undefined);
      } catch (error) {
        refused = error;
      }
      one.run("DELETE FROM chat_sessions");
      throw stop;
    }),
  ).toThrow(stop);
  expect(isBusy(refused)).toBe(true);
  expect(one.immediate(() => one.get<{ n: number }>("SELECT count(*) AS n FROM chat_sessions"))).toEqual({ n: 1 });
  expect(two.immediate(() => "free")).toBe("free");

  one.close();
  two.close();
  store.close();
  await bench.dispose();
});
