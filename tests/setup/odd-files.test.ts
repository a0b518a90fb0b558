import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { setupClaudeCode } from "../../src/setup/claude-code.ts";
import { setupOpencode } from "../../src/setup/opencode.ts";
import { stage } from "./stage.ts";

const machine = stage();
afterAll(machine.close);
const settings = join(machine.directory, ".claude", "settings.json");
const memory = join(machine.directory, "CLAUDE.md");
const options = { global: false, remove: false, dryRun: false, allowTools: true };
const set = (over = {}) => setupClaudeCode({ ...options, ...over }, machine);
const read = (file: string) => readFileSync(file, "utf8");

function put(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, text);
}

const ODD: [string, string][] = [
  ["empty", ""],
  ["blank", " \n\n"],
  ["only a comment", "// nothing yet\n"],
  ["an empty object", "{}"],
  ["an empty object with a line end", "{}\n"],
  ["a spread empty object", "{\n}\n"],
  ["a byte order mark", '\uFEFF{\n  "a": 1\n}\n'],
  ["CRLF", '{\r\n  "a": 1,\r\n  "hooks": {}\r\n}\r\n'],
  ["tabs", '{\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
  ["four spaces", '{\n    "a": 1\n}\n'],
  ["trailing commas", '{\n  "a": [1, 2,],\n  "hooks": {"Stop": [{"hooks": [],},],},\n}\n'],
  ["comments everywhere", '/* a */ { // b\n  "a" /* c */ : /* d */ 1 /* e */ // f\n  // g\n} // h\n'],
  ["a comment in an empty object", "{ /* none */ }"],
  ["a line comment in an empty object", "{ // none\n}"],
  ["one line", '{"a":1,"permissions":{"allow":["Bash(ls)"]}}'],
  ["one line with a trailing comma", '{"a":1 , }'],
  ["empty containers", '{\n  "hooks": { },\n  "permissions": {"allow": [ ]}\n}\n'],
  [
    "hooks of others",
    '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [{ "type": "command", "command": "beep" }]\n      }\n    ]\n  }\n}\n',
  ],
  ["a rule of thatch's that the user wrote", '{"permissions": {"allow": ["mcp__thatch__chat_send"]}}\n'],
];

describe("settings that are", () => {
  for (const [name, text] of ODD) {
    test(`${name}: are set up once, and restored byte for byte`, () => {
      put(settings, text);
      const dry = set({ dryRun: true }).changes.map(({ change }) => change);
      expect(read(settings)).toBe(text);
      const first = set();
      expect(first.faults).toEqual([]);
      expect(first.changes.map(({ change }) => change)).toEqual(dry);
      const after = read(settings);
      const value = parse(after.replace("\uFEFF", ""));
      expect(Object.keys(value.hooks)).toEqual(
        expect.arrayContaining(["SessionStart", "UserPromptSubmit", "Stop", "FileChanged"]),
      );
      expect(value.permissions.allow.filter((rule: string) => rule === "mcp__thatch__chat_send")).toHaveLength(1);
      expect(after.includes("\r\n") ? after.replaceAll("\r\n", "").includes("\n") : false).toBe(false);
      expect(set().changes.map(({ change }) => change)).toEqual(["unchanged", "unchanged", "unchanged"]);
      expect(read(settings)).toBe(after);
      const removed = set({ remove: true });
      expect(removed.faults).toEqual([]);
      expect(read(settings)).toBe(text);
      expect(existsSync(join(machine.directory, ".mcp.json"))).toBe(false);
      expect(existsSync(memory)).toBe(false);
    });
  }

  test("malformed or of another kind: are left alone, and the fault says where", () => {
    const table: [string, object][] = [
      ['{\n  "a": 1\n  "b": 2\n}', { code: "malformed", place: { line: 3, column: 3 } }],
      ["{", { code: "malformed" }],
      ["[]", { code: "wrong-kind", path: [], found: "array", wanted: "object" }],
      ["null", { code: "wrong-kind", path: [], found: "null" }],
      ['{"hooks": []}', { code: "wrong-kind", path: ["hooks"], found: "array" }],
      ['{"hooks": {"Stop": {}}}', { code: "wrong-kind", path: ["hooks", "Stop"], found: "object", wanted: "array" }],
    ];
    for (const [text, fault] of table) {
      put(settings, text);
      expect(set().faults).toMatchObject([{ file: settings, fault }]);
      expect(read(settings)).toBe(text);
      set({ remove: true });
      expect(read(settings)).toBe(text);
    }
  });

  test("read-only: are left alone", () => {
    put(settings, "{}");
    chmodSync(settings, 0o444);
    expect(set().faults).toEqual([{ file: settings, fault: { code: "read-only" } }]);
    expect(read(settings)).toBe("{}");
    rmSync(settings);
    set({ remove: true });
  });

  test("a link of mode 0600: stay a link and private, also ahead", () => {
    const real = join(machine.folder, "dotfiles.json");
    put(real, '{\n  "a": 1\n}\n');
    chmodSync(real, 0o600);
    rmSync(settings, { force: true });
    mkdirSync(dirname(settings), { recursive: true });
    symlinkSync(real, settings);
    set();
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(read(real)).toContain("UserPromptSubmit");
    expect(statSync(real).mode & 0o777).toBe(0o600);
    set({ remove: true });
    expect(read(real)).toBe('{\n  "a": 1\n}\n');
    expect(statSync(real).mode & 0o777).toBe(0o600);
    rmSync(settings);
  });
});

describe("from nothing", () => {
  test("setup makes files that removal takes away with their folder", () => {
    rmSync(join(machine.directory, ".claude"), { recursive: true, force: true });
    expect(set({ dryRun: true }).changes.map(({ change }) => change)).toEqual(["created", "created", "created"]);
    expect(readdirSync(machine.directory)).toEqual([]);
    set();
    expect(readdirSync(machine.directory).sort()).toEqual([".claude", ".mcp.json", "CLAUDE.md"]);
    expect(set({ remove: true }).changes.map(({ change }) => change)).toEqual(["deleted", "deleted", "deleted"]);
    expect(readdirSync(machine.directory)).toEqual([]);
  });

  test("allow rules come only when asked for, and go when no longer", () => {
    set({ allowTools: false });
    const plain = read(settings);
    expect(plain).not.toContain("permissions");
    set();
    expect(read(settings)).toContain("mcp__thatch__chat_send");
    set({ allowTools: false });
    expect(read(settings)).toBe(plain);
    set({ remove: true });
    expect(readdirSync(machine.directory)).toEqual([]);
  });

  test("a thatch that moved is replaced, not doubled", () => {
    set();
    const moved = { ...machine, root: "/opt/elsewhere/thatch", bun: "/opt/elsewhere/bun" };
    setupClaudeCode(options, moved);
    expect(read(settings)).not.toContain(machine.root);
    expect(parse(read(settings)).hooks.Stop).toHaveLength(1);
    setupClaudeCode({ ...options, remove: true }, moved);
    expect(readdirSync(machine.directory)).toEqual([]);
  });

  test("the user scope follows CLAUDE_CONFIG_DIR, and without one the home folder", () => {
    const global = { ...options, global: true };
    const files = (variables: Record<string, string>) =>
      setupClaudeCode({ ...global, dryRun: true }, { ...machine, variables }).changes.map(({ file }) => file);
    const home = machine.home;
    expect(files({})).toEqual([`${home}/.claude.json`, `${home}/.claude/settings.json`, `${home}/.claude/CLAUDE.md`]);
    expect(files({ CLAUDE_CONFIG_DIR: "/c" })).toEqual(["/c/.claude.json", "/c/settings.json", "/c/CLAUDE.md"]);
  });
});

describe("a server called thatch that is not ours", () => {
  test("is left alone and named", () => {
    const file = join(machine.directory, ".mcp.json");
    const text = '{"mcpServers": {"thatch": {"command": "roof", "args": ["straw"]}}}';
    put(file, text);
    expect(set().faults).toEqual([{ file, fault: { code: "taken", path: ["mcpServers", "thatch"] } }]);
    set({ remove: true });
    expect(read(file)).toBe(text);
    rmSync(file);
  });
});

describe("CLAUDE.md", () => {
  for (const text of ["", "x", "# Mine\n", "# Mine\r\n\r\ntext\r\n", "\uFEFFx\n", "a\n\n\n"]) {
    test(`${JSON.stringify(text)} comes back, and what was written after setup stays`, () => {
      put(memory, text);
      set();
      const after = read(memory);
      expect(after.startsWith(text)).toBe(true);
      set({ remove: true });
      expect(read(memory)).toBe(text);
      set();
      writeFileSync(memory, `${after}more\n`);
      set({ remove: true });
      expect(read(memory)).toBe(`${text}${text === "" || text.endsWith("\n") ? "" : "\n"}more\n`);
      rmSync(memory);
    });
  }

  test("with a marker alone is left alone", () => {
    put(memory, "a\n<!-- thatch:end -->\n");
    expect(set().faults).toMatchObject([{ file: memory, fault: { code: "marker", place: { line: 2, column: 1 } } }]);
    expect(read(memory)).toBe("a\n<!-- thatch:end -->\n");
    rmSync(memory);
    set({ remove: true });
  });
});

describe("opencode", () => {
  const plain = { global: false, remove: false, dryRun: false };
  const jsonc = join(machine.directory, "opencode.jsonc");
  test("keeps its comments and other plugins, and loses a thatch of another path", () => {
    const text = '{\n  // mine\n  "plugin": ["other", "file:///old/thatch"],\n}\n';
    put(jsonc, text);
    expect(setupOpencode(plain, machine).changes).toMatchObject([{ file: jsonc, change: "changed" }]);
    expect(read(jsonc)).toBe(`{\n  // mine\n  "plugin": ["other", "file://${machine.root}"],\n}\n`);
    setupOpencode({ ...plain, remove: true }, machine);
    expect(read(jsonc)).toBe('{\n  // mine\n  "plugin": ["other"],\n}\n');
    rmSync(jsonc);
  });
  test("gets a config where it has none", () => {
    setupOpencode(plain, machine);
    const file = join(machine.directory, "opencode.json");
    expect(JSON.parse(read(file))).toEqual({
      $schema: "https://opencode.ai/config.json",
      plugin: [`file://${machine.root}`],
    });
    setupOpencode({ ...plain, remove: true }, machine);
    expect(existsSync(file)).toBe(false);
  });
});
