import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { DAY, lines, Stage, THATCH } from "./stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

const ROOT = join(import.meta.dir, "..", "..");
interface Check {
  subject: string;
  level: string;
  finding: string;
  fix: string | null;
}

async function doctor(
  more: Record<string, string> = {},
  directory = stage.folder,
): Promise<{ code: number; checks: Check[] }> {
  const { code, stdout } = await stage.run(["doctor", "--json"], more, directory);
  return { code, checks: lines(stdout).map((line): Check => JSON.parse(line)) };
}

function about(checks: readonly Check[], subject: string): string[] {
  return checks.filter((check) => check.subject === subject).map(({ level, finding }) => `${level} ${finding}`);
}

/** A program of that name in a folder that can be put into PATH. */
function program(name: string, script: string): string {
  const folder = join(stage.folder, `${name}-bin`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

function opencodeConfig(text: string, folder = join(stage.home, ".config", "opencode")): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "opencode.json"), text);
  return join(folder, "opencode.json");
}

const PATH = "/usr/bin:/bin";

test("on a machine with nothing but thatch everything is in order, and nothing is left behind", async () => {
  const host = program("opencode", "echo 1.18.33");
  opencodeConfig(`{"plugin": ["${pathToFileURL(ROOT).href}"]}`);
  const { code, stdout } = await stage.run(["doctor"], { PATH: `${host}:${PATH}` });
  expect(code).toBe(0);
  expect(lines(stdout).map((line) => line.slice(0, 14).trimEnd())).toEqual([
    "✓ Bun",
    "✓ thatch",
    "✓ config",
    "✓ database",
    "✓ opencode",
    "✓ opencode",
    "✓ Claude Code",
    "✓ sessions",
  ]);
  expect(stdout).toContain(`${stage.database} does not exist yet; the first session to join makes it`);
  expect(readdirSync(stage.folder).sort()).toEqual(["home", "opencode-bin"]);
  expect(readdirSync(stage.home)).toEqual([".config"]);
});

test("a plugin entry that works is told with the file that names it, and the sessions that beat", async () => {
  await stage.join("s1", "ada");
  const folder = program("opencode", "echo 1.18.33");
  const file = opencodeConfig(`{ // comment\n"plugin": ["other", "${pathToFileURL(ROOT).href}",], }`);
  const { code, checks } = await doctor({ PATH: `${folder}:${PATH}` });
  expect(code).toBe(0);
  expect(about(checks, "opencode")).toEqual([
    `ok 1.18.33 (${join(folder, "opencode")})`,
    `ok the plugin ${pathToFileURL(ROOT).href} loads (named in ${file})`,
    "ok 1 opencode session is active now",
  ]);
  expect(about(checks, "database")).toEqual([
    expect.stringMatching(/^ok .*thatch\.db, [\d.]+ kB, schema 2, write-ahead log, no damage found$/),
    "ok only you may read the messages",
  ]);
});

test.each([
  ["no entry", '{"plugin": ["other"]}', "warn thatch's plugin is in none of "],
  ["a path that leads nowhere", '{"plugin": ["file:///nowhere/thatch"]}', "broken file:///nowhere/thatch, named in "],
  ["broken JSON", '{"plugin": [', "broken "],
  ["an entry with options", '{"plugin": [["thatch@0.1.0", {"a": 1}]]}', "ok "],
  ["two entries", '{"plugin": ["thatch", "thatch@latest"]}', "warn thatch's plugin is named 2 times: thatch in "],
])("opencode's config with %s", async (_, text, expected) => {
  const folder = program("opencode", "echo 1.18.33");
  opencodeConfig(text);
  const { code, checks } = await doctor({ PATH: `${folder}:${PATH}` });
  expect(about(checks, "opencode").some((line) => line.startsWith(expected))).toBe(true);
  expect(code).toBe(expected.startsWith("broken") ? 1 : 0);
  for (const check of checks) expect(check.fix === null).toBe(check.level === "ok");
});

test("a plugin that does not load, or is another version, is told", async () => {
  const plugin = join(stage.folder, "copy");
  mkdirSync(join(plugin, "dist"), { recursive: true });
  writeFileSync(join(plugin, "package.json"), '{"name": "thatch", "version": "0.0.9", "main": "./dist/opencode.js"}');
  opencodeConfig(`{"plugin": ["file://${plugin}"]}`, join(stage.folder, "project"));
  const find = async () => {
    const { code, checks } = await doctor({ PATH }, join(stage.folder, "project"));
    return [code, about(checks, "opencode")[1]];
  };
  expect(await find()).toEqual([
    1,
    `broken file://${plugin}, named in ${join(stage.folder, "project", "opencode.json")}, does not exist`,
  ]);
  writeFileSync(join(plugin, "dist", "opencode.js"), "export default {");
  expect(await find()).toEqual([1, expect.stringContaining(`broken the plugin file://${plugin} does not load: `)]);
  writeFileSync(join(plugin, "dist", "opencode.js"), "export default { id: 'thatch' };");
  expect((await find())[1]).toContain("it has no default export with a server function");
  writeFileSync(join(plugin, "dist", "opencode.js"), "export default { id: 'thatch', server: async () => ({}) };");
  expect(await find()).toEqual([0, expect.stringMatching(/^warn the plugin .* is thatch 0\.0\.9, this is \d/)]);
});

test("a host that does not start is broken", async () => {
  const folder = program("opencode", "echo boom >&2; exit 3");
  const { code, checks } = await doctor({ PATH: `${folder}:${PATH}` });
  expect(code).toBe(1);
  expect(about(checks, "opencode")[0]).toBe(`broken ${join(folder, "opencode")} --version failed: exit code 3, boom`);
});

test("Claude Code's own messaging is told from the version that has it", async () => {
  const older = program("claude", 'echo "2.1.223 (Claude Code)"');
  expect(about((await doctor({ PATH: `${older}:${PATH}` })).checks, "Claude Code").join()).not.toContain("of its own");
  const newer = program("claude", 'echo "2.1.332 (Claude Code)"');
  const native = about((await doctor({ PATH: `${newer}:${PATH}` })).checks, "Claude Code").at(-1);
  expect(native).toStartWith("ok 2.1.332 has ListAgents and SendMessage of its own");
});

test("another program called thatch is told, and thatch itself under another path is not", async () => {
  const folder = program("thatch", "echo other");
  const { code, checks } = await doctor({ PATH: `${folder}:${join(THATCH, "..")}:${PATH}` });
  expect(code).toBe(0);
  const [, other] = about(checks, "thatch");
  expect(other).toBe(
    `warn another program called thatch is in PATH: ${join(folder, "thatch")}; it is the one that "thatch" starts`,
  );
  expect(about((await doctor({ PATH: `${join(THATCH, "..")}:${folder}:${PATH}` })).checks, "thatch")[1]).not.toContain(
    "it is the one",
  );
  expect(about((await doctor({ PATH: `${join(THATCH, "..")}:${PATH}` })).checks, "thatch").join()).not.toContain(
    "another program",
  );
});

test("settings and config that cannot be used are told, and chat that is off", async () => {
  const config = join(stage.folder, "config.json");
  writeFileSync(config, '{"chat": {"enabled": false, "midTurn": "yes"}}');
  const { code, checks } = await doctor({ PATH, THATCH_CONFIG_PATH: config, THATCH_CHAT_NUDGES_PER_HOUR: "many" });
  expect(code).toBe(0);
  expect(about(checks, "settings")).toEqual([
    'warn THATCH_CHAT_NUDGES_PER_HOUR is "many", not a positive number: 6 is used.',
  ]);
  expect(about(checks, "config")).toEqual([
    expect.stringContaining('chat.midTurn is "yes", not true or false'),
    `warn chat is off: "chat": {"enabled": false} in ${config}`,
  ]);
});

test("a database that others may read, that is damaged, newer, or another program's", async () => {
  await stage.join("s1", "ada");
  for (let n = 0; n < 200; n++) await stage.send("s1", "s1", "x".repeat(500));
  stage.store.close();
  const database = async () => {
    const { code, checks } = await doctor({ PATH });
    return { code, lines: about(checks, "database") };
  };
  chmodSync(stage.database, 0o644);
  expect(await database()).toEqual({
    code: 0,
    lines: [expect.stringMatching(/^ok /), `warn other users may look into ${stage.database}`],
  });
  chmodSync(stage.database, 0o600);
  const newer = new Database(stage.database);
  newer.run("PRAGMA user_version = 7");
  newer.close();
  expect((await database()).lines[0]).toBe(
    `broken ${stage.database} has schema 7, newer than this thatch knows (${SCHEMA_VERSION})`,
  );
  const other = new Database(stage.database);
  other.run("PRAGMA application_id = 5");
  other.close();
  expect((await database()).lines[0]).toBe(`broken ${stage.database} is a database of another program`);
  const bytes = await Bun.file(stage.database).bytes();
  const mended = new Database(stage.database);
  mended.run(`PRAGMA application_id = ${0x74686368}`);
  mended.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  mended.close();
  const whole = await Bun.file(stage.database).bytes();
  expect(whole.length).toBe(bytes.length);
  whole.fill(0xff, 4096 * 5, 4096 * 12);
  writeFileSync(stage.database, whole);
  const damaged = await database();
  expect(damaged.code).toBe(1);
  expect(damaged.lines[0]).toMatch(/^broken .* (is damaged|cannot be read): /);
  writeFileSync(stage.database, "no database ".repeat(1000));
  expect((await database()).lines[0]).toMatch(/^broken .* cannot be read: /);
});

test("without any host nothing could chat, and it says so", async () => {
  const { code, checks } = await doctor({ PATH });
  expect(code).toBe(0);
  expect(about(checks, "thatch")[1]).toBe("warn neither opencode nor claude is in PATH: nothing here could chat");
});

test("a folder that others may write into is told, with no command that would close it to them", async () => {
  await stage.join("s1", "ada");
  chmodSync(join(stage.folder, "data"), 0o1777);
  const { checks } = await doctor({ PATH });
  const found = checks.find(({ finding }) => finding.includes("other users"));
  expect(found?.finding).toBe(`other users may write into ${join(stage.folder, "data")}, where the database is`);
  expect(found?.fix).not.toContain("chmod");
  chmodSync(join(stage.folder, "data"), 0o755);
  expect(about((await doctor({ PATH })).checks, "database")[1]).toBe("ok only you may read the messages");
});

test("a look leaves a file as it is: empty, of another program, of an older schema", async () => {
  mkdirSync(join(stage.folder, "data"));
  writeFileSync(stage.database, "", { mode: 0o600 });
  await doctor({ PATH });
  expect(await Bun.file(stage.database).text()).toBe("");
  const other = new Database(stage.database);
  other.run("CREATE TABLE theirs (id INTEGER)");
  other.close();
  const before = await Bun.file(stage.database).bytes();
  const { code, checks } = await doctor({ PATH });
  expect(code).toBe(1);
  expect(about(checks, "database")[0]).toBe(`broken ${stage.database} is a database of another program`);
  expect(await Bun.file(stage.database).bytes()).toEqual(before);
});

test("a folder in which no database can be made is broken", async () => {
  writeFileSync(join(stage.folder, "file"), "");
  const { code, checks } = await doctor({ PATH, THATCH_DB_PATH: join(stage.folder, "file", "thatch.db") });
  expect(code).toBe(1);
  expect(about(checks, "database")[0]).toStartWith(`broken no database can be made in ${join(stage.folder, "file")}: `);
  rmSync(join(stage.folder, "file"));
});

test("sessions that share a folder, and rows that have been silent for long", async () => {
  await stage.join("s1", "ada", 0, { directory: "/src/shop" });
  await stage.join("s2", "brook", 0, { directory: "/src/shop" });
  await stage.join("s3", "cedar", 0, { directory: "/src/bank" });
  await stage.join("s4", "dune", 2 * DAY);
  const { checks } = await doctor({ PATH });
  expect(about(checks, "sessions")).toEqual([
    "ok 3 active, 1 stale",
    expect.stringMatching(/^warn (ada and brook|brook and ada) work in one folder, \/src\/shop$/),
    "ok 1 session last seen over a day ago; removed after 7 days",
  ]);
  await stage.join("s5", "elm", 9 * DAY);
  expect(about((await doctor({ PATH })).checks, "sessions")).toContain(
    "warn 1 session last seen over 7 days ago and not removed",
  );
});
