import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines, Stage } from "./stage.ts";

let stage: Stage;
let project: string;
beforeEach(() => {
  stage = new Stage();
  project = join(stage.folder, "project");
  mkdirSync(project);
});
afterEach(() => stage.close());

const PATH = "/usr/bin:/bin";
const setup = (...args: string[]) => stage.run(["setup", "claude-code", ...args], { PATH }, project);

async function doctor(): Promise<{ code: number; findings: string[] }> {
  const { code, stdout } = await stage.run(
    ["doctor", "--json"],
    { PATH: `${join(stage.folder, "bin")}:${PATH}` },
    project,
  );
  const findings = lines(stdout)
    .map((line): { subject: string; level: string; finding: string } => JSON.parse(line))
    .filter(({ subject }) => subject === "Claude Code")
    .map(({ level, finding }) => `${level} ${finding}`);
  return { code, findings };
}

function claudeOnPath(): void {
  mkdirSync(join(stage.folder, "bin"));
  writeFileSync(join(stage.folder, "bin", "claude"), '#!/bin/sh\necho "2.1.200 (Claude Code)"\n', { mode: 0o755 });
}

/** A file of the project, changed by the way of its text. */
function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(project, file);
  const text = readFileSync(path, "utf8");
  const changed = text.replaceAll(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

test("what set-up wrote is seen to run, and a Claude Code without it is told how", async () => {
  claudeOnPath();
  expect((await doctor()).findings.slice(1)).toEqual(["warn thatch's MCP server is in none of its settings"]);
  await setup();
  expect(await doctor()).toEqual({
    code: 0,
    findings: [
      expect.stringMatching(/^ok 2\.1\.200/),
      `ok the MCP server answers (named in ${join(project, ".mcp.json")})`,
      `ok the hooks run (named in ${join(project, ".claude", "settings.json")})`,
    ],
  });
});

test("a server or hooks whose program is gone are broken", async () => {
  await setup();
  edit(".mcp.json", "/bun.exe", "/gone.exe");
  const { code, findings } = await doctor();
  expect(code).toBe(1);
  expect(findings.find((line) => line.startsWith("broken"))).toContain("the MCP server does not answer (named in ");
});

test("an entry of an older set-up is told, and both scopes at once", async () => {
  await setup();
  edit(".claude/settings.json", '"timeout": 10', '"timeout": 99');
  expect((await doctor()).findings).toContain(
    `warn the hooks in ${join(project, ".claude", "settings.json")} are of another thatch, another Bun or an older set-up`,
  );
  await setup();
  await setup("--global");
  expect((await doctor()).findings).toContain(
    `warn thatch's hooks stand in both ${join(stage.home, ".claude", "settings.json")} and ${join(project, ".claude", "settings.json")}`,
  );
});

test("settings that are no JSON are broken, with the file's name", async () => {
  mkdirSync(join(project, ".claude"));
  writeFileSync(join(project, ".claude", "settings.json"), '{"hooks": ');
  const { code, findings } = await doctor();
  expect(code).toBe(1);
  expect(findings[1]).toStartWith(
    `broken its settings cannot be looked at: ${join(project, ".claude", "settings.json")} is no JSON`,
  );
});

test("a server alone is told to lack its hooks", async () => {
  await setup();
  writeFileSync(join(project, ".claude", "settings.json"), "{}");
  expect((await doctor()).findings).toContain("warn thatch's hooks are in none of its settings");
});
