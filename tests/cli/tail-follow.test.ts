import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { until } from "../../testbed/wait.ts";
import { sweep } from "../store/fixtures.ts";
import { lines, Stage } from "./stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

/** A following tail, and all that it has printed. */
class Follower {
  out = "";
  err = "";
  readonly child;

  constructor(...args: string[]) {
    this.child = stage.start(["chat", "tail", ...args]);
    void this.#collect(this.child.stdout, (text) => (this.out += text));
    void this.#collect(this.child.stderr, (text) => (this.err += text));
  }

  async #collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  }

  events(): string[] {
    return lines(this.out).map((line) => {
      const { event, id }: { event: string; id: number } = JSON.parse(line);
      return `${event} ${id}`;
    });
  }

  async shows(expected: readonly string[]): Promise<void> {
    await until(
      `${JSON.stringify(expected)}, seen: ${this.out}${this.err}`,
      () => this.events().length >= expected.length,
    );
    expect(this.events()).toEqual([...expected]);
  }
}

test("new messages and readings are printed as they come, and what was there before is not printed again", async () => {
  await stage.join("s1", "ada");
  await stage.join("s2", "brook");
  for (let n = 0; n < 5; n++) await stage.send("s1", "s2", `old ${n}`);
  const follower = new Follower("-n", "2");
  await follower.shows(["sent 4", "sent 5"]);
  await stage.send("s2", "s1", "new");
  await follower.shows(["sent 4", "sent 5", "sent 6"]);
  // Read messages of before the backlog are news; their sent events are not.
  await stage.store.read("s2", { messages: 4, bytes: 9999 }, Date.now());
  await follower.shows(["sent 4", "sent 5", "sent 6", "read 1", "read 2", "read 3", "read 4"]);
  await stage.store.leave("s1", Date.now());
  await sweep(stage.store, Date.now(), 0);
  await stage.join("s3", "cedar");
  await stage.send("s3", "s3", "after the leave");
  await follower.shows(["sent 4", "sent 5", "sent 6", "read 1", "read 2", "read 3", "read 4", "sent 7"]);
  expect(follower.err).toBe("");
});

test("filters hold for what comes, and a filtered message is not told when it is read", async () => {
  await stage.join("s1", "ada");
  await stage.join("s2", "brook");
  const follower = new Follower("--grep", "release", "--to", "brook");
  await stage.send("s1", "s2", "release is green");
  await follower.shows(["sent 1"]);
  await stage.send("s1", "s2", "lunch?");
  await stage.send("s2", "s1", "release of what?");
  await stage.store.read("s2", { messages: 9, bytes: 9999 }, Date.now());
  await follower.shows(["sent 1", "read 1"]);
});

test("a missing database is waited for, and not made", async () => {
  const follower = new Follower();
  await until("the notice", () => follower.err !== "");
  expect(follower.err).toBe(`There is no database yet at ${stage.database}; waiting for it.\n`);
  expect(existsSync(stage.database)).toBe(false);
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "first");
  await follower.shows(["sent 1"]);
});

test("a database that is deleted and made again is followed on, and all of it is new", async () => {
  await stage.join("s1", "ada");
  for (let n = 0; n < 3; n++) await stage.send("s1", "s1", "one");
  const follower = new Follower();
  await follower.shows(["sent 1", "sent 2", "sent 3"]);
  stage.store.close();
  rmSync(dirname(stage.database), { recursive: true });
  await until("the notice", () => follower.err !== "");
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "two");
  // Ids begin again, and the new database has fewer messages than the old one had.
  await follower.shows(["sent 1", "sent 2", "sent 3", "sent 1"]);
  expect(follower.err).toContain(`${stage.database} is another database now; all its messages count as new.`);
});

test("a migration by a newer thatch does not stop it", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "before");
  const follower = new Follower();
  await follower.shows(["sent 1"]);
  const newer = new Database(stage.database);
  newer.run("BEGIN IMMEDIATE");
  newer.run("ALTER TABLE chat_messages ADD COLUMN mood TEXT");
  newer.run("CREATE INDEX chat_messages_mood ON chat_messages (mood)");
  newer.run("COMMIT");
  newer.run(
    "INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at) VALUES ('s1', 's1', x'61', 0, 1)",
  );
  newer.close();
  await follower.shows(["sent 1", "sent 2"]);
});

test("a database of a newer thatch is refused with its reason, and taken up when it can be read", async () => {
  await stage.join("s1", "ada");
  const newer = new Database(stage.database);
  newer.run("PRAGMA user_version = 99");
  const follower = new Follower();
  await until("the refusal", () => follower.err !== "");
  expect(follower.err).toContain(
    `has schema 99, newer than this thatch knows (${SCHEMA_VERSION}). Update thatch. Still following.`,
  );
  newer.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  newer.close();
  await stage.send("s1", "s1", "readable again");
  await follower.shows(["sent 1"]);
  expect((await stage.run(["chat", "tail", "--no-follow"])).code).toBe(0);
});

test("while it follows it writes nothing into the database", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "x");
  const watcher = createSqliteStore({ file: stage.database }).commitProbe();
  const before = watcher.version();
  const follower = new Follower();
  await follower.shows(["sent 1"]);
  await stage.run(["chat", "list"]);
  await stage.run(["doctor"]);
  expect(watcher.version()).toBe(before);
  watcher.close();
});

test("SIGINT ends it with 0 and no word", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "x");
  const follower = new Follower();
  await follower.shows(["sent 1"]);
  follower.child.kill("SIGINT");
  expect(await follower.child.exited).toBe(0);
  expect(follower.err).toBe("");
});

test("Ctrl-C in a terminal ends it with 0, and leaves no word behind", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "x");
  const terminal = await stage.terminal(["chat", "tail"], 200);
  await terminal.waitForScreen(/"event":"sent","id":1/);
  await terminal.key("C-c");
  await terminal.exited();
  expect(await terminal.exitCode()).toBe(0);
  expect(lines(await terminal.screen()).filter((line) => !line.startsWith('{"event"') && line.trim() !== "^C")).toEqual(
    [],
  );
});

test("a reader that goes away ends it, also when no message comes any more", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "only one");
  const { code, stdout, stderr } = await stage.shell('{ "$THATCH" chat tail; echo "code $?" >&2; } | head -n 1');
  expect({ code, stderr, lines: lines(stdout).length }).toEqual({ code: 0, stderr: "code 0\n", lines: 1 });
});

test("a burst of messages is printed whole and in order", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "first");
  const follower = new Follower();
  await follower.shows(["sent 1"]);
  const sent = ["sent 1"];
  for (let n = 2; n <= 200; n++) {
    await stage.send("s1", "s1", `burst ${n}`);
    sent.push(`sent ${n}`);
  }
  await follower.shows(sent);
});
