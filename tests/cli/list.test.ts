import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { DAY, lines, Stage } from "./stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

async function seed(): Promise<void> {
  await stage.join("s1", "ada", 0, { project: "shop", topic: "Checkout page" });
  await stage.join("s2", "brook", 0, { project: "bank", topic: "Refund API", worktree: "worktree" });
  await stage.join("s3", "cedar", 0, { project: null, topic: null, worktree: null, hostMode: "run" });
  await stage.join("s4", "dune", 3_600_000, { project: "bank" });
  await stage.join("s5", "elm", 3 * DAY);
  await stage.join("s6", "fern", 6 * DAY);
  await stage.send("s1", "s2", "hello");
  await stage.send("s1", "s2", "again");
}

test("aligned columns under a header, projects by alphabet, stale sessions apart and old ones counted", async () => {
  await seed();
  const { code, stdout, stderr } = await stage.run(["chat", "list"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines(stdout)).toEqual([
    "NAME   HOST      TOPIC          PROJECT  LOC       LAST SEEN  UNREAD  REACH",
    "Active (3)",
    "brook  opencode  Refund API     bank     worktree  just now        2  wakes",
    "ada    opencode  Checkout page  shop     root      just now        -  wakes",
    "cedar  opencode  -              -        -         just now        -  turn",
    "Stale (1): no running process hosts them; mail waits until they are opened again",
    "dune   opencode  work of dune   bank     root      1h ago          -  wakes",
    "2 more sessions stale for over 1 day: --stale all shows them.",
  ]);
});

test("--stale bounds the stale sessions by days, and all shows every one", async () => {
  await seed();
  const shown = async (days: string) => {
    const { stdout } = await stage.run(["chat", "list", "--stale", days]);
    return ["dune", "elm", "fern"].filter((name) => stdout.includes(name));
  };
  expect(await shown("0")).toEqual([]);
  expect(await shown("1")).toEqual(["dune"]);
  expect(await shown("3.5")).toEqual(["dune", "elm"]);
  expect(await shown("all")).toEqual(["dune", "elm", "fern"]);
  expect((await stage.run(["chat", "list", "--stale", "all"])).stdout).not.toContain("more session");
  expect((await stage.run(["chat", "list", "--stale", "4"])).stdout).toContain(
    "1 more session stale for over 4 days: --stale all shows it.",
  );
});

test("--json prints an object a session, stale ones too, with the fields that scripts rely on", async () => {
  await seed();
  const { code, stdout } = await stage.run(["chat", "list", "--json"]);
  expect(code).toBe(0);
  const rows = lines(stdout).map((line): Record<string, unknown> => JSON.parse(line));
  expect(rows.map((row) => row.name)).toEqual(["brook", "ada", "cedar", "dune", "elm", "fern"]);
  expect(rows[0]).toEqual({
    name: "brook",
    sessionId: "s2",
    host: "opencode",
    topic: "Refund API",
    project: "bank",
    directory: "/src/s2",
    loc: "worktree",
    lastSeen: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    stale: false,
    unread: 2,
    reach: "wakes",
  });
  expect(rows.map((row) => row.stale)).toEqual([false, false, false, true, true, true]);
  expect(rows[2]).toMatchObject({ topic: null, project: null, loc: null, reach: "turn" });
  expect(lines((await stage.run(["chat", "list", "--json", "--stale", "1"])).stdout)).toHaveLength(4);
});

test("an empty directory says how sessions get into it, and a missing database is not made", async () => {
  const missing = await stage.run(["chat", "list"]);
  expect(missing).toMatchObject({ code: 0, stderr: "" });
  expect(missing.stdout).toContain(`There is no database yet: ${stage.database}`);
  expect(missing.stdout).toContain("join by themselves at their first prompt");
  expect(existsSync(stage.database)).toBe(false);
  expect((await stage.run(["chat", "list", "--json"])).stdout).toBe("");
  await stage.join("s1", "ada");
  await stage.store.leave("s1", Date.now());
  expect((await stage.run(["chat", "list"])).stdout).toContain(`No session is registered in ${stage.database}.`);
});

test("colour comes with a terminal or FORCE_COLOR, goes with NO_COLOR, and is all that it adds", async () => {
  await seed();
  const plain = (await stage.run(["chat", "list"])).stdout;
  const forced = (await stage.run(["chat", "list"], { FORCE_COLOR: "1" })).stdout;
  expect(forced).not.toBe(plain);
  expect(Bun.stripANSI(forced)).toBe(plain);
  expect((await stage.run(["chat", "list"], { NO_COLOR: "1" })).stdout).toBe(plain);
  expect((await stage.run(["chat", "list"], { FORCE_COLOR: "0" })).stdout).toBe(plain);
  expect((await stage.run(["chat", "list"], { FORCE_COLOR: "1", NO_COLOR: "1" })).stdout).toBe(forced);

  const painted = await stage.terminal(["chat", "list"], 120);
  await painted.exited();
  expect(await painted.paintedScreen()).toContain("\x1b[");
  const bare = await stage.terminal(["chat", "list"], 120, { NO_COLOR: "1" });
  await bare.exited();
  expect(await bare.paintedScreen()).not.toContain("\x1b[");
});

test.each([80, 200])("in a terminal of %d columns no line wraps, and what was cut ends in …", async (columns) => {
  await stage.join("s1", "ada", 0, { topic: "結帳頁面的重新設計與退款流程的測試".repeat(3), project: "店".repeat(30) });
  await stage.join("s2", "brook", 0, {
    topic: "👩‍👩‍👧 family emoji and e\u0301 marks ".repeat(4),
    host: "claude-code",
    hostMode: null,
  });
  await stage.join("s3", "cedar", 2 * 3_600_000);
  const terminal = await stage.terminal(["chat", "list"], columns);
  await terminal.exited();
  const shown = lines(await terminal.screen()).map((line) => line.trimEnd());
  expect(shown).toHaveLength(6);
  expect(Math.max(...shown.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(columns);
  const row = shown.find((line) => line.startsWith("ada"));
  expect(row).toMatch(/… .*root +just now +- +wakes$/);
  // Every column begins where its heading does.
  expect(shown[0]).toContain("LAST SEEN");
  const start = Bun.stringWidth(shown[0]?.slice(0, shown[0].indexOf("LAST SEEN")) ?? "");
  for (const line of shown.filter((candidate) => candidate.includes("just now"))) {
    expect(Bun.stringWidth(line.slice(0, line.indexOf("just now")))).toBe(start);
  }
});

test("no name, topic or project puts a control character on the terminal", async () => {
  const hostile = "\x1b]0;owned\x07\x1b[2J\x9b31mred\u202eesrever\u200b\r\nNAME  HOST\x00\ttail";
  await stage.join("s1", "ada", 0, { topic: hostile, project: hostile, directory: `/src/${hostile}` });
  for (const args of [
    ["chat", "list"],
    ["chat", "list", "--json"],
    ["chat", "list", "--stale", "all"],
  ]) {
    const { stdout } = await stage.run(args);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(lines(stdout)).toHaveLength(args.includes("--json") ? 1 : 3);
  }
  const [row] = lines((await stage.run(["chat", "list", "--json"])).stdout);
  expect(JSON.parse(row ?? "")).toMatchObject({ topic: hostile, project: hostile });
});
