import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { lines, Stage } from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = new Stage();
});
afterEach(() => stage.close());

type Event = Record<string, unknown>;
const events = (text: string): Event[] => lines(text).map((line) => JSON.parse(line));
const tail = async (...args: string[]) => stage.run(["chat", "tail", "--no-follow", ...args]);
const ids = async (...args: string[]) => events((await tail(...args)).stdout).map(({ event, id }) => `${event} ${id}`);

async function trio(): Promise<void> {
  for (const [id, base] of [
    ["s1", "ada"],
    ["s2", "brook"],
    ["s3", "cedar"],
  ] as const)
    await stage.join(id, base);
}

test("events have the fields and the order of the contract, and a reading is linked to its message by the id", async () => {
  await trio();
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  await stage.send("s1", "s2", 'is it green?\n"yes" or no', at);
  await stage.store.read("s2", { messages: 9, bytes: 9999 }, at + 1000);
  await stage.send("s2", "s1", "yes", at + 2000, 1);
  await stage.store.broadcast({ senderId: "s1", recipientIds: ["s2", "s3"], body: "thanks", at: at + 3000 });
  await stage.store.leave("s3", at + 4000);
  const { code, stdout, stderr } = await tail();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines(stdout)).toEqual([
    String.raw`{"event":"sent","id":1,"at":"2026-01-02T03:04:05.000Z","from":"ada","to":"brook","fromId":"s1","toId":"s2","body":"is it green?\n\"yes\" or no"}`,
    '{"event":"sent","id":2,"at":"2026-01-02T03:04:07.000Z","from":"brook","to":"ada","fromId":"s2","toId":"s1","replyTo":1,"body":"yes"}',
    '{"event":"sent","id":3,"at":"2026-01-02T03:04:08.000Z","from":"ada","to":"brook","fromId":"s1","toId":"s2","broadcast":true,"body":"thanks"}',
    '{"event":"sent","id":4,"at":"2026-01-02T03:04:08.000Z","from":"ada","to":null,"fromId":"s1","toId":"s3","broadcast":true,"body":"thanks"}',
    '{"event":"read","id":1,"at":"2026-01-02T03:04:06.000Z","from":"ada","to":"brook","fromId":"s1","toId":"s2"}',
  ]);
});

test("the backlog is the last 20 messages, or as many as -n asks for", async () => {
  await trio();
  for (let n = 1; n <= 25; n++) await stage.send("s1", "s2", `message ${n}`);
  const numbers = async (...args: string[]) => events((await tail(...args)).stdout).map(({ id }) => Number(id));
  expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
  expect(await numbers("-n", "3")).toEqual([23, 24, 25]);
  expect(await numbers("--lines", "0")).toEqual([]);
  expect(await numbers("--lines=99")).toHaveLength(25);
  expect(await numbers("-n", "all")).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
});

test("filters narrow the backlog, and -n counts what they let through", async () => {
  await trio();
  const base = Date.now() - 3_600_000;
  await stage.send("s1", "s2", "Release is green", base);
  await stage.send("s2", "s1", "release is RED", base + 60_000);
  await stage.send("s1", "s3", "lunch?", base + 120_000);
  for (let n = 0; n < 30; n++) await stage.send("s3", "s2", "noise", base + 240_000);
  expect(await ids("--grep", "(?i)release")).toEqual(["sent 1", "sent 2"]);
  expect(await ids("--grep", "(?i)release", "--grep", "green|RED$", "-n", "1")).toEqual(["sent 2"]);
  expect(await ids("--grep", "(?i)release", "--grep", "lunch")).toEqual([]);
  expect(await ids("--with", "ADA")).toEqual(["sent 1", "sent 2", "sent 3"]);
  expect(await ids("--from", "ada", "--to", "cedar")).toEqual(["sent 3"]);
  expect(await ids("--from", "ada", "--from", "bro")).toEqual(["sent 1", "sent 2", "sent 3"]);
  expect(await ids("--to", "nobody")).toEqual([]);
  expect(await ids("--until", new Date(base + 120_000).toISOString())).toEqual(["sent 1", "sent 2"]);
  expect(await ids("--since", new Date(base + 60_000).toISOString(), "--until", "57m")).toEqual(["sent 2", "sent 3"]);
  expect(await ids("--since", "30m")).toEqual([]);
  expect(await ids("--since", "2h", "-n", "1")).toEqual(["sent 33"]);
});

test("a moment without an offset is meant in the person's time zone, and every zone prints the same UTC", async () => {
  await trio();
  const at = Date.UTC(2026, 6, 1, 3, 30);
  await stage.send("s1", "s2", "early", at);
  const inZone = (zone: string, ...args: string[]) =>
    stage.run(["chat", "tail", "--no-follow", ...args], { TZ: zone }).then(({ stdout }) => stdout);
  const here = await inZone("America/New_York");
  expect(await inZone("Asia/Tokyo")).toBe(here);
  expect(here).toContain('"at":"2026-07-01T03:30:00.000Z"');
  // 03:30 UTC is 23:30 on the day before in New York (UTC-4), and 12:30 in Tokyo.
  expect(await inZone("America/New_York", "--since", "2026-06-30T23:30", "--until", "2026-06-30T23:31")).toBe(here);
  expect(await inZone("Asia/Tokyo", "--since", "2026-07-01T12:30", "--until", "2026-07-01T12:31")).toBe(here);
  expect(await inZone("America/New_York", "--since", "2026-07-01")).toBe("");
  expect(await inZone("Asia/Tokyo", "--since", "2026-07-01")).toBe(here);
  expect(await inZone("Asia/Tokyo", "--since", "2026-07-01T03:30Z")).toBe(here);
  expect(await inZone("Asia/Tokyo", "--until", "2026-07-01T03:30Z")).toBe("");
});

test.each([
  [["--grep", "("], '--grep "(" is no regular expression of RE2 (error parsing regexp: missing closing ): `(`)'],
  [["--grep", "a(?=b)"], '--grep "a(?=b)" is no regular expression of RE2'],
  [["--since", "soon"], '--since "soon" is neither ISO 8601'],
  [["--until", "2026-02-30"], '--until "2026-02-30" is neither ISO 8601'],
  [["--since", "1h", "--until", "2h"], "--since 1h is not before --until 2h"],
  [["-n", "-1"], '"-1" is neither a whole number of messages nor "all"'],
  [["-n", "1.5"], '"1.5" is neither a whole number of messages nor "all"'],
  [["--bogus"], "No flag registered for --bogus"],
  [["extra"], 'Too many arguments, expected 0 but encountered "extra"'],
])("%p is a usage error that names the value", async (args, message) => {
  const { code, stdout, stderr } = await tail(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("a pattern that would take for ever elsewhere takes no time to speak of", async () => {
  await trio();
  await stage.send("s1", "s2", `${"a".repeat(60_000)}!`);
  await stage.send("s1", "s2", `${"a".repeat(60_000)}`);
  expect(await ids("--grep", "^(a+)+$")).toEqual(["sent 2"]);
});

test("hostile bodies are one line each, put no control character on the terminal, and come back to the byte", async () => {
  await trio();
  const bodies = [
    "\x1b]0;owned\x07\x1b[2J\x9b31m",
    "\u202egnp.exe\u2066\u200b\ufeff\u{e0041}",
    "a\r\nb\u2028c\u2029d\x00\x7f",
    '{"event":"sent"}',
  ];
  for (const body of bodies) await stage.send("s1", "s2", body);
  const { stdout } = await tail();
  expect(lines(stdout)).toHaveLength(bodies.length);
  expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(events(stdout).map(({ body }) => body)).toEqual(bodies);
});

test("without a database there is nothing to print, and none is made", async () => {
  const { code, stdout, stderr } = await tail();
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toBe(`There is no database yet at ${stage.database}: no message was ever sent.\n`);
  expect(existsSync(stage.database)).toBe(false);
});

test("a closed pipe ends it quietly", async () => {
  await trio();
  for (let n = 0; n < 500; n++) await stage.send("s1", "s2", "x".repeat(1000));
  const { code, stdout, stderr } = await stage.shell(
    '{ "$THATCH" chat tail --no-follow -n all; echo "code $?" >&2; } | head -n 1',
  );
  expect({ code, stderr, lines: lines(stdout).length }).toEqual({ code: 0, stderr: "code 0\n", lines: 1 });
});
