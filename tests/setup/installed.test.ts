import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setupClaudeCode } from "../../src/setup/claude-code.ts";
import { faultLine, noticeLine } from "../../src/text/setup.ts";
import { stage } from "./stage.ts";

const machine = stage();
afterAll(machine.close);
const options = { global: false, remove: false, dryRun: false, allowTools: false };
const settings = join(machine.directory, ".claude", "settings.json");

test("a hook runs thatch while it is there, and is silent once it is gone", () => {
  const root = join(machine.folder, 'a folder\'s "name" ü $HOME');
  mkdirSync(join(root, "dist"), { recursive: true });
  const bun = join(root, "bun");
  symlinkSync(process.execPath, bun);
  writeFileSync(join(root, "dist", "hook.js"), "console.log(process.ppid, ...process.argv.slice(2)); process.exit(2);");
  setupClaudeCode(options, { ...machine, root, bun });
  const hook = JSON.parse(readFileSync(settings, "utf8")).hooks.FileChanged[0].hooks[0];
  expect(hook).toMatchObject({ type: "command", asyncRewake: true });
  const run = () => Bun.spawnSync([hook.command, ...hook.args], { env: {}, stdin: "ignore" });

  const present = run();
  // Its parent is who started it: no shell stays in between, and the exit code is its own.
  expect(present.stdout.toString()).toBe(`${process.pid} claude-code\n`);
  expect(present.exitCode).toBe(2);

  rmSync(root, { recursive: true });
  const gone = run();
  expect([gone.exitCode, gone.stdout.toString(), gone.stderr.toString()]).toEqual([0, "", ""]);
  setupClaudeCode({ ...options, remove: true }, { ...machine, root, bun });
});

test("what may get in the way is named: another thatch, the plugin, Claude Code's own messages", () => {
  const programs = join(machine.folder, "programs");
  mkdirSync(programs);
  for (const name of ["thatch", "claude"]) {
    writeFileSync(join(programs, name), "#!/bin/sh\n");
    chmodSync(join(programs, name), 0o755);
  }
  const config = join(machine.folder, "config");
  mkdirSync(join(config, "plugins"), { recursive: true });
  const list = join(config, "plugins", "installed_plugins.json");
  writeFileSync(list, '{"version": 2, "plugins": {"thatch@roofs": []}}');
  const busy = { ...machine, variables: { PATH: programs, CLAUDE_CONFIG_DIR: config } };
  const { notices } = setupClaudeCode({ ...options, dryRun: true }, busy);
  expect(notices).toEqual([
    { code: "other-program", path: join(programs, "thatch") },
    { code: "plugin-too", file: list },
    { code: "native-messaging" },
  ]);
  expect(notices.map(noticeLine).join("\n")).toContain(join(programs, "thatch"));
  expect(setupClaudeCode({ ...options, dryRun: true }, { ...busy, root: programs }).notices).not.toContainEqual({
    code: "other-program",
    path: join(programs, "thatch"),
  });
  expect(setupClaudeCode({ ...options, dryRun: true }, machine).notices).toEqual([]);
});

test("a fault names the file, the place and the next step", () => {
  expect(faultLine({ file: "/p/a.json", fault: { code: "malformed", place: { line: 3, column: 7 } } })).toBe(
    "/p/a.json:3:7 is not valid JSON, so it was left alone. Mend it there and run this again.",
  );
  expect(
    faultLine({ file: "/p/a.json", fault: { code: "wrong-kind", path: ["hooks"], wanted: "object", found: "array" } }),
  ).toBe('/p/a.json was left alone: "hooks" in it holds an array, not an object. Mend it and run this again.');
});

test("what the host writes in between stays, though it lays the file out anew", () => {
  const server = join(machine.directory, ".mcp.json");
  writeFileSync(server, '{"mcpServers": {}, "other": 1}');
  setupClaudeCode(options, machine);
  const held = JSON.parse(readFileSync(server, "utf8"));
  writeFileSync(server, JSON.stringify({ ...held, numStartups: 5 }));
  const again = setupClaudeCode(options, machine);
  expect(again.changes.map(({ change }) => change)).toEqual(["unchanged", "unchanged", "unchanged"]);
  setupClaudeCode({ ...options, remove: true }, machine);
  expect(readFileSync(server, "utf8")).toBe('{"mcpServers":{},"other":1,"numStartups":5}');
});
