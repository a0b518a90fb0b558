import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setupClaudeCode } from "../../src/setup/claude-code.ts";
import { faultLine, noticeLine } from "../../src/text/setup.ts";
import { stage } from "./stage.ts";

const machine = stage();
afterAll(machine.close);
const options = { global: false, remove: false, dryRun: false, allowTools: false };
const settings = join(machine.directory, ".claude", "settings.json");

const SHELLS = ["/bin/sh", "/bin/bash"];

/** A stand-in for thatch in a folder with this name, whose hook tells how it was started. */
function installAt(name: string, script: string) {
  const root = join(machine.folder, name);
  mkdirSync(join(root, "dist"), { recursive: true });
  const bun = join(root, "bun");
  symlinkSync(process.execPath, bun);
  writeFileSync(join(root, "dist", "hook.js"), script);
  return { ...machine, root, bun };
}

const hookOf = (event: string): { command: string } =>
  JSON.parse(readFileSync(settings, "utf8")).hooks[event][0].hooks[0];

test.each(["plain", "with space", 'a folder\'s "name" ü $HOME `x`', "&; (brackets) *"])(
  "a hook runs thatch in a folder called %p while it is there, and is silent once it is gone",
  (name) => {
    const place = installAt(name, "console.log(process.ppid, ...process.argv.slice(2)); process.exit(2);");
    setupClaudeCode(options, place);
    const hook = hookOf("FileChanged");
    expect(hook).toMatchObject({ type: "command", asyncRewake: true });
    expect(Object.keys(hook)).not.toContain("args");
    for (const shell of SHELLS) {
      const run = () => Bun.spawnSync([shell, "-c", hook.command], { env: {}, stdin: "ignore" });
      const present = run();
      // Its parent is who started it: no shell stays in between, and the exit code is its own.
      expect([present.stdout.toString(), present.exitCode]).toEqual([`${process.pid} claude-code\n`, 2]);
      renameSync(place.root, `${place.root}.gone`);
      const gone = run();
      expect([gone.exitCode, gone.stdout.toString(), gone.stderr.toString()]).toEqual([0, "", ""]);
      renameSync(`${place.root}.gone`, place.root);
    }
    expect(setupClaudeCode(options, place).changes.map(({ change }) => change)).not.toContain("changed");
    setupClaudeCode({ ...options, remove: true }, place);
    expect(existsSync(settings)).toBe(false);
    rmSync(place.root, { recursive: true });
  },
);

test("a project's own settings for Bun and its environment do not reach a hook", () => {
  const place = installAt("planted", "console.log(process.env.PLANTED ?? 'clean');");
  const project = join(machine.folder, "hostile");
  mkdirSync(project);
  writeFileSync(join(project, ".env"), "PLANTED=env\n");
  writeFileSync(join(project, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
  writeFileSync(join(project, "planted.ts"), "console.log('planted code');\n");
  setupClaudeCode(options, place);
  const run = Bun.spawnSync(["/bin/sh", "-c", hookOf("Stop").command], { cwd: project, env: {}, stdin: "ignore" });
  expect([run.exitCode, run.stdout.toString(), run.stderr.toString()]).toEqual([0, "clean\n", ""]);
  setupClaudeCode({ ...options, remove: true }, place);
});

test("a hook in the form of an older set-up is replaced, and goes with --remove; one of another program stays", () => {
  const older = {
    type: "command",
    command: "/bin/sh",
    args: ["-c", 'exec "$0" "$@"', "/old/bun", "/old/thatch/dist/hook.js", "claude-code"],
    timeout: 10,
  };
  const others = [
    { type: "command", command: "thatch-roof claude-code" },
    { type: "command", command: "/x/run", args: ["/x/dist/hook.js", "cursor"] },
    { type: "command", command: "node /x/dist/hook.js claude-code" },
  ];
  mkdirSync(join(machine.directory, ".claude"), { recursive: true });
  writeFileSync(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [older] }, { hooks: [...others, older] }] } }));
  setupClaudeCode(options, machine);
  expect(readFileSync(settings, "utf8")).not.toContain("/old/");
  expect(JSON.parse(readFileSync(settings, "utf8")).hooks.Stop).toHaveLength(2);
  setupClaudeCode({ ...options, remove: true }, machine);
  expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ hooks: { Stop: [{ hooks: others }] } });
  rmSync(settings);
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
