import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { Lock, lines, Stage, THATCH } from "./stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

test("every command says how it is used, on standard output, with 0", async () => {
  for (const args of [[], ["chat"], ["chat", "list"], ["chat", "tail"], ["doctor"], ["completion"]]) {
    const { code, stdout, stderr } = await stage.run([...args, "--help"]);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    expect(stdout).toStartWith("USAGE\n  thatch");
  }
  expect(await stage.run(["--version"])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("a folder's bunfig.toml and .env reach no command that is run in it", async () => {
  await stage.join("s1", "ada");
  const folder = join(stage.folder, "hostile");
  mkdirSync(folder);
  const traces = join(stage.folder, "traces");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(
    join(folder, "preload.ts"),
    `require("node:fs").writeFileSync(${JSON.stringify(traces)}, "code of the folder ran");`,
  );
  writeFileSync(join(folder, ".env"), `THATCH_DB_PATH=${join(folder, "other.db")}\nTHATCH_DEBUG=${traces}\n`);
  // The variable is left to its default, since what the environment has wins over a file anyway.
  const { THATCH_DB_PATH, ...env } = stage.env({ XDG_DATA_HOME: join(stage.folder, "xdg") });
  mkdirSync(join(stage.folder, "xdg"));
  symlinkSync(join(stage.folder, "data"), join(stage.folder, "xdg", "thatch"));
  for (const [args, output] of [
    [["--version"], manifest.version],
    [["chat", "list"], "ada"],
  ] as const) {
    const command = Bun.spawn([THATCH, ...args], { cwd: folder, env, stderr: "pipe" });
    expect(await command.stdout.text()).toContain(output);
    expect([await command.exited, await command.stderr.text()]).toEqual([0, ""]);
  }
  expect([existsSync(traces), existsSync(join(folder, "other.db"))]).toEqual([false, false]);
});

test("what is no command is a usage error, with the nearest one where there is one", async () => {
  const nearest = await stage.run(["chat", "lst"]);
  expect(nearest).toMatchObject({ code: 2, stdout: "" });
  expect(nearest.stderr).toContain("No command registered for `lst`, did you mean `list`?");
  expect(await stage.run(["bogus"])).toMatchObject({ code: 2, stdout: "" });
  expect(await stage.run(["chat", "list", "--stale", "soon"])).toMatchObject({ code: 2, stdout: "" });
  expect((await stage.run(["chat", "list", "--stale", "soon"])).stderr).toContain(
    '"soon" is neither a number of days nor "all"',
  );
});

test("a database that cannot be used is named with the reason and the next step", async () => {
  mkdirSync(join(stage.folder, "data"));
  writeFileSync(stage.database, "this is no database, whatever its name says ".repeat(100));
  for (const args of [
    ["chat", "list"],
    ["chat", "tail", "--no-follow"],
  ]) {
    const { code, stdout, stderr } = await stage.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`thatch: The database ${stage.database} cannot be used: it is not an SQLite database`);
    expect(stderr).toContain('"thatch doctor" looks closer.');
  }
});

test("a database that another process holds is tried for 5 s, and the exit code says that it may work later", async () => {
  await stage.join("s1", "ada");
  stage.store.close();
  using lock = new Lock(stage.database);
  for (const args of [
    ["chat", "list"],
    ["chat", "tail", "--no-follow"],
  ]) {
    const { code, stdout, stderr } = await stage.run(args);
    expect({ code, stdout }).toEqual({ code: 75, stdout: "" });
    expect(stderr).toMatch(
      /^thatch: The database .* stayed locked for 5(\.\d)? s by another process\. Try again in a moment\.\n$/,
    );
  }
  const { code, stdout } = await stage.run(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toContain(`✗ database    ${stage.database} is locked by another process`);
  expect(lock.isHeld()).toBe(true);
});

test("output that cannot be written is a failure with its reason", async () => {
  await stage.join("s1", "ada");
  await stage.send("s1", "s1", "x");
  for (const command of ["chat list", "chat tail", "doctor", "--help"]) {
    const { code, stderr } = await stage.shell(`"$THATCH" ${command} >/dev/full`);
    expect({ command, code, stderr }).toEqual({
      command,
      code: 1,
      stderr: "thatch: The output cannot be written (ENOSPC: no space left on device, write).\n",
    });
  }
});

test("a value that is no number is named once, and the command goes on", async () => {
  await stage.join("s1", "ada");
  const { code, stdout, stderr } = await stage.run(["chat", "list"], { THATCH_CHAT_POLL_SECONDS: "soon" });
  expect(code).toBe(0);
  expect(lines(stdout)).toHaveLength(3);
  expect(stderr).toBe('thatch: THATCH_CHAT_POLL_SECONDS is "soon", not a positive number: 30 is used.\n');
});

test("it runs through links, from any folder, and without a Bun in PATH", async () => {
  mkdirSync(join(stage.folder, "bin with space"));
  symlinkSync(THATCH, join(stage.folder, "first"));
  symlinkSync("../first", join(stage.folder, "bin with space", "thatch"));
  const { code, stdout, stderr } = await stage.shell(
    'PATH="$PWD/bin with space:/usr/bin:/bin"; cd /; thatch --version',
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

const SHELL_LINES = {
  bash: `eval "$("$THATCH" completion bash)"; COMP_WORDS=(thatch chat ta); COMP_CWORD=2; _thatch; echo "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }; compadd() { echo $proposals; }; eval "$("$THATCH" completion zsh)"; words=(thatch chat ta); CURRENT=3; _thatch`,
  fish: `"$THATCH" completion fish | source; complete -C "thatch chat ta"`,
} as const;

test.each(["bash"] as const)("the completion of %s proposes what thatch proposes", async (shell) => {
  symlinkSync(THATCH, join(stage.folder, "thatch"));
  const line = SHELL_LINES[shell].replaceAll("'", "'\\''");
  const { stdout, stderr } = await stage.shell(`PATH="$PWD:$PATH"; ${shell} -c '${line}'`);
  expect({ stdout, stderr }).toEqual({ stdout: "tail\n", stderr: "" });
});

test("what could come next is proposed at every place", async () => {
  const propose = async (...words: string[]) => lines((await stage.run(["__complete", ...words])).stdout);
  expect(await propose("")).toEqual(["chat", "mcp", "hook", "setup", "doctor", "completion"]);
  expect(await propose("chat", "")).toEqual(["list", "tail"]);
  expect(await propose("chat", "tail", "--fr")).toEqual(["--from"]);
  expect(await propose("completion", "z")).toEqual(["zsh"]);
});
