import { expect, test } from "bun:test";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { isBusy } from "../../src/store/sqlite/failure.ts";
import { makeSqliteBench } from "./bench.ts";
import { join, LIMITS, post, T0 } from "./fixtures.ts";

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

test("a conversation that cannot be taken over whole stays whole where it is", async () => {
  const bench = await makeSqliteBench();
  const store = bench.open();
  await join(store, "old", "ada");
  await post(store, "old", "old");
  await store.anchor({ pid: 7, startedAt: "monday" }, "old", T0);
  await store.takeWake("old", T0, LIMITS);
  const connection = new Connection(bench.file, 1);
  connection.run(
    "CREATE TRIGGER last_step BEFORE UPDATE ON chat_nudges BEGIN SELECT RAISE(ABORT, 'the disk had enough'); END",
  );
  const taken = () => store.continueSession("old", "new");
  await expect(taken()).rejects.toThrow();
  expect(await store.find("new")).toBeNull();
  expect(await store.find("old")).toMatchObject({ sessionId: "old", name: "ada" });
  expect(await store.count("old")).toEqual({ unread: 1, total: 1 });
  expect(await store.anchored({ pid: 7, startedAt: "monday" })).toBe("old");
  connection.run("DROP TRIGGER last_step");
  expect(await taken()).toBe(true);
  expect(await store.count("new")).toEqual({ unread: 1, total: 1 });

  connection.close();
  store.close();
  await bench.dispose();
});
