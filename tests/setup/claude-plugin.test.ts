import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { settingsEntries } from "../../src/setup/claude-entries.ts";
import { CLAUDE_BINARY, makeClaudeHome } from "../../testbed/claude-home.ts";

const PLUGIN = join(import.meta.dir, "..", "..", "claude-plugin");
const json = (file: string) => JSON.parse(readFileSync(join(PLUGIN, file), "utf8"));

test("the plugin has the hooks that set-up writes, with the same matchers and limits", () => {
  const { entries } = settingsEntries({ root: "/thatch", bun: "/bun" }, false);
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, inner) => (key === "command" ? undefined : inner)));
  const ours = Object.fromEntries(entries.map(({ path, value }) => [path[1], [plain(value)]]));
  expect(plain(json("hooks/hooks.json").hooks)).toEqual(ours);
  expect(json(".claude-plugin/plugin.json").version).toBe(manifest.version);
});

test("a hook of a plugin that is gone ends well: a shell that misses its script would end with 2, and Claude Code would stop the prompt", async () => {
  const hooks: Record<string, { hooks: { command: string }[] }[]> = json("hooks/hooks.json").hooks;
  const all = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  expect(all.length).toBe(8);
  for (const root of ["/nowhere/at/all", PLUGIN]) {
    for (const { command } of all) {
      const child = Bun.spawn(["/bin/sh", "-c", command], {
        env: { PATH: "/usr/bin:/bin", HOME: "/nowhere", CLAUDE_PLUGIN_ROOT: root },
        stdin: new TextEncoder().encode("{}"),
        stdout: "pipe",
        stderr: "pipe",
      });
      expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([0, "", ""]);
    }
  }
});

test("Claude Code takes it for a valid plugin, and its checkout for a marketplace that has it", async () => {
  const home = await makeClaudeHome({ modelUrl: "http://127.0.0.1:9" });
  const claude = async (...args: string[]) => {
    const child = Bun.spawn([CLAUDE_BINARY, "plugin", ...args], {
      cwd: home.directory,
      env: home.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    return { code: await child.exited, text: (await child.stdout.text()) + (await child.stderr.text()) };
  };
  try {
    expect(await claude("validate", PLUGIN)).toMatchObject({ code: 0 });
    expect(await claude("marketplace", "add", join(PLUGIN, ".."))).toMatchObject({ code: 0 });
    expect(await claude("install", "thatch@thatch")).toMatchObject({ code: 0 });
    expect((await claude("list")).text).toContain("thatch@thatch");
  } finally {
    await home.remove();
  }
});
