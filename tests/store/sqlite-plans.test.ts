import type { SQLQueryBindings } from "bun:sqlite";
import { expect, test } from "bun:test";
import { Connection } from "../../src/store/sqlite/connection.ts";
import * as feed from "../../src/store/sqlite/feed.ts";
import * as messages from "../../src/store/sqlite/messages.ts";
import * as sessions from "../../src/store/sqlite/sessions.ts";
import * as wakes from "../../src/store/sqlite/wakes.ts";
import { makeSqliteBench } from "./bench.ts";
import { join, LIMITS, post, T0, WIDE } from "./fixtures.ts";

/** A connection that remembers what it was asked to run. */
class Recording extends Connection {
  readonly statements = new Map<string, SQLQueryBindings[]>();

  override all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    this.statements.set(sql, values);
    return super.all<Row>(sql, ...values);
  }

  override run(sql: string, ...values: SQLQueryBindings[]): void {
    this.statements.set(sql, values);
    super.run(sql, ...values);
  }
}

test("no query that hosts make as they go reads through all messages or all wakes", async () => {
  const bench = await makeSqliteBench();
  const store = bench.open();
  for (const id of ["s1", "s2"]) await join(store, id);
  const connection = new Recording(bench.file, 10);

  const letter = { senderId: "s1", body: "x", at: T0 };
  messages.send(connection, { ...letter, recipientId: "s2", replyTo: null });
  messages.send(connection, { ...letter, recipientId: "s2", replyTo: 1 });
  messages.broadcast(connection, { ...letter, recipientIds: ["s2"] });
  sessions.roster(connection);
  sessions.find(connection, "ada");
  wakes.due(connection, ["s1", "s2"], T0, LIMITS);
  const take = wakes.takeWake(connection, "s2", T0, LIMITS);
  if (take.kind !== "wake") throw new Error(take.kind);
  wakes.settleWake(connection, "s2", take, "rejected", T0, LIMITS);
  wakes.notice(connection, "s2", T0);
  wakes.settleWake(connection, "s2", take, "started", T0, LIMITS);
  messages.count(connection, "s2");
  messages.read(connection, "s2", WIDE, T0);
  messages.readAgain(connection, "s2", WIDE);

  const recorded = [...connection.statements].filter(([sql]) => /chat_(messages|nudges)/.test(sql));
  expect(recorded.length).toBeGreaterThanOrEqual(14);
  let searches = 0;
  for (const [sql, values] of recorded) {
    const plan = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => row.detail);
    expect({ sql, scans: plan.filter((line) => /SCAN chat_(messages|nudges)/.test(line)) }).toEqual({ sql, scans: [] });
    searches += plan.filter((line) => /SEARCH chat_(messages|nudges) USING/.test(line)).length;
  }
  expect(searches).toBeGreaterThanOrEqual(14);
  connection.close();
  store.close();
  await bench.dispose();
});

test("no query for a session reads through the directory", async () => {
  const bench = await makeSqliteBench();
  const store = bench.open();
  for (const id of ["s1", "s2"]) await join(store, id);
  const connection = new Recording(bench.file, 10);
  sessions.find(connection, "ada-2");
  sessions.startingWith(connection, "s");
  sessions.setTopic(connection, "s1", "roof");
  sessions.setBusy(connection, "s1", T0);
  sessions.beat(connection, { sessionIds: ["s1"], busyIds: ["s2"], at: T0, busyUntil: T0 });
  wakes.due(connection, ["s1"], T0, LIMITS);
  messages.send(connection, { senderId: "s1", recipientId: "s2", body: "x", replyTo: null, at: T0 });
  messages.broadcast(connection, { senderId: "s1", recipientIds: ["s2"], body: "x", at: T0 });
  const recorded = [...connection.statements].filter(([sql]) => sql.includes("chat_sessions"));
  expect(recorded).toHaveLength(9);
  for (const [sql, values] of recorded) {
    const plan = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => row.detail);
    const reads = plan.filter((line) => /chat_sessions/.test(line));
    expect(reads.length).toBeGreaterThan(0);
    expect({ sql, others: reads.filter((line) => !line.startsWith("SEARCH chat_sessions USING ")) }).toEqual({
      sql,
      others: [],
    });
  }
  connection.close();
  store.close();
  await bench.dispose();
});

test("the log's backlog and its news are found by key, without reading the history or sorting it", async () => {
  const bench = await makeSqliteBench();
  const store = bench.open();
  for (const id of ["s1", "s2"]) await join(store, id);
  for (let n = 0; n < 2; n++) await post(store, "s1", "s2");
  const connection = new Recording(bench.file, 10);
  feed.newest(connection, 20, 9);
  feed.newest(connection, null);
  feed.state(connection);
  feed.changes(connection, { newestId: 1, unread: new Set([1]) }, 20);
  const recorded = [...connection.statements];
  expect(recorded).toHaveLength(5);
  for (const [sql, values] of recorded) {
    const plan = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map((row) => row.detail);
    const reads = plan.filter((line) => /chat_messages/.test(line));
    expect(reads.length).toBeGreaterThan(0);
    // The index over unread messages is read as a whole, and holds nothing else.
    const allowed =
      /^SEARCH chat_messages( USING INTEGER PRIMARY KEY \(rowid[<>=]\?\))?$|^SCAN chat_messages USING (COVERING )?INDEX chat_messages_unread/;
    expect({ sql, others: reads.filter((line) => !allowed.test(line)) }).toEqual({ sql, others: [] });
    expect({ sql, sorts: plan.filter((line) => line.includes("TEMP B-TREE")) }).toEqual({ sql, sorts: [] });
  }
  connection.close();
  store.close();
  await bench.dispose();
});
