import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { HOOK, HookStage, runHook, SILENCE } from "./stage.ts";

let stage: HookStage;
beforeEach(() => {
  stage = new HookStage();
});
afterEach(() => stage.close());

const payload = (more: Record<string, unknown> = {}) =>
  JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "one", cwd: stage.cwd, ...more });

test.each([
  ["nothing", ""],
  ["white space", " \n\t"],
  ["no JSON", "{hook_event_name"],
  ["an array", "[]"],
  ["null", "null"],
  ["no fields", "{}"],
  ["fields of other types", '{"hook_event_name": 1, "session_id": {}}'],
  ["an empty session", '{"hook_event_name": "Stop", "session_id": ""}'],
  ["an event nobody knows", '{"hook_event_name": "Breakfast", "session_id": "one"}'],
  ["20 MB", `{"hook_event_name": "Stop", "x": "${"y".repeat(20_000_000)}"}`],
  ["bytes that are no text", "\u0000\u0001\ufffe"],
])("input that is %s is met with silence", async (_, input) => {
  expect(await runHook(input, stage.env)).toEqual(SILENCE);
});

test("a byte order mark and 20 MB of prompt are no hindrance", async () => {
  const large = payload({ prompt: "p".repeat(20_000_000) });
  const { code, stdout } = await runHook(`\ufeff${large}`, stage.env);
  expect(code).toBe(0);
  expect(stdout).toContain("[thatch] You are ");
});

test("input that is left open is given up", async () => {
  const child = Bun.spawn([process.execPath, HOOK, "claude-code"], {
    env: stage.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  child.stdin.write(payload());
  child.stdin.flush();
  expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
});

test("a host nobody knows, none, and Cursor, which runs Claude Code's hooks too, are met with silence", async () => {
  expect(await runHook(payload(), stage.env, "zed")).toEqual(SILENCE);
  expect(await runHook(payload(), stage.env, "")).toEqual(SILENCE);
  expect(await runHook(payload(), { ...stage.env, CURSOR_VERSION: "2.0" })).toEqual(SILENCE);
  expect(existsSync(stage.database)).toBe(false);
});

test("chat that is off, and registration that is off", async () => {
  const config = join(stage.folder, "config.json");
  const env = { ...stage.env, THATCH_CONFIG_PATH: config };
  writeFileSync(config, '{"chat": {"enabled": false}}');
  expect(await runHook(payload(), env)).toEqual(SILENCE);
  expect(existsSync(stage.database)).toBe(false);
  writeFileSync(config, '{"chat": {"autoRegister": false}}');
  expect(await runHook(payload(), env)).toEqual(SILENCE);
  expect(await stage.store.roster()).toEqual([]);
});

test("a database that is locked for 10 s is given up, while it is locked", async () => {
  await stage.store.roster();
  stage.store.close();
  const lock = new Database(stage.database);
  lock.run("PRAGMA journal_mode = DELETE");
  lock.run("BEGIN EXCLUSIVE");
  const released = Bun.sleep(10_000).then(() => lock.run("ROLLBACK"));
  for (const event of ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "SessionEnd", "FileChanged"]) {
    expect(await runHook(payload({ hook_event_name: event }), stage.env)).toEqual(SILENCE);
  }
  expect(lock.inTransaction).toBe(true);
  await released;
  lock.close();
}, 60_000);

test("a database that is damaged, a folder, or cannot be made is met with silence and left as it is", async () => {
  mkdirSync(join(stage.folder, "data"));
  const damage = "this is no database ".repeat(500);
  writeFileSync(stage.database, damage);
  expect(await runHook(payload(), stage.env)).toEqual(SILENCE);
  expect(await Bun.file(stage.database).text()).toBe(damage);
  expect(await runHook(payload(), { ...stage.env, THATCH_DB_PATH: stage.folder })).toEqual(SILENCE);
  expect(await runHook(payload(), { ...stage.env, THATCH_DB_PATH: "/proc/none/thatch.db" })).toEqual(SILENCE);
  expect(await Bun.file(join(stage.folder, "debug.log")).text()).toContain("nothing is said to this event");
});

test.each(["home with space", 'ho\'me "quoted" $HOME `x`', "häuschen ☂"])("a home called %p serves", async (name) => {
  const home = join(stage.folder, name);
  mkdirSync(home);
  const { code, stdout, stderr } = await runHook(payload(), { PATH: "/usr/bin:/bin", HOME: home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("[thatch] You are ");
  expect(existsSync(join(home, ".local", "share", "thatch", "thatch.db"))).toBe(true);
});

test("an environment of nothing but a database serves", async () => {
  const { code, stdout, stderr } = await runHook(payload(), { THATCH_DB_PATH: stage.database });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("[thatch] You are ");
});

test("whatever comes in, the hook ends well and says nothing that is no JSON", async () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.constantFrom("\x1b[2J", "\u202e", "one", ""));
  const event = fc.constantFrom(
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "SessionEnd",
    "PostToolBatch",
    "PreToolUse",
    "FileChanged",
  );
  const fields = fc.record(
    {
      hook_event_name: event,
      session_id: text,
      cwd: text,
      source: text,
      reason: text,
      session_title: text,
      transcript_path: text,
      tool_name: text,
    },
    { requiredKeys: ["hook_event_name", "session_id"] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fields.map((record) => JSON.stringify(record)),
        fc.json(),
        text,
      ),
      async (input) => {
        const { code, stdout, stderr } = await runHook(input, stage.env);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        if (stdout !== "") expect(JSON.parse(stdout)).toHaveProperty("hookSpecificOutput.hookEventName");
        expect(stdout).not.toMatch(/\p{Cc}/u);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
