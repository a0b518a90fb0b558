import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "..", "..");
let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "thatch-layers-"));
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  writeFileSync(join(tree, "package.json"), '{"type": "module"}');
});
afterEach(() => rmSync(tree, { recursive: true }));

/** Plants files, each with the module it imports, and runs the check on them. */
function check(files: Record<string, string>): { code: number; output: string } {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  const { exitCode, stdout, stderr } = Bun.spawnSync(["node", join(root, "scripts", "layers.mjs"), tree]);
  return { code: exitCode, output: stdout.toString() + stderr.toString() };
}

const target = "export const it = 1;\nexport interface It { readonly it: number }\n";
const imports = (path: string) => `import { it } from "${path}";\nconsole.log(it);\n`;

/** Each kind of violation: the file that commits it, what it imports, and the rule that has to name it. */
const violations: [rule: string, from: string, to: string][] = [
  ["core-imports", "src/core/a.ts", "src/chat/b.ts"],
  ["chat-imports", "src/chat/a.ts", "src/text/b.ts"],
  ["store-sqlite-imports", "src/store/sqlite/a.ts", "src/chat/b.ts"],
  ["delivery-imports", "src/delivery/a.ts", "src/store/sqlite/b.ts"],
  ["text-imports", "src/text/a.ts", "src/platform/b.ts"],
  ["tools-imports", "src/tools/a.ts", "src/store/sqlite/b.ts"],
  ["platform-imports", "src/platform/a.ts", "src/text/b.ts"],
  ["hosts-opencode-imports", "src/hosts/opencode/a.ts", "src/hosts/mcp/b.ts"],
  ["source-stands-alone", "src/hosts/opencode/a.ts", "testbed/b.ts"],
];
const outside: [rule: string, from: string, specifier: string][] = [
  ["core-outside", "src/core/a.ts", "node:fs"],
  ["core-outside", "src/core/a.ts", "zod/mini"],
  ["core-outside", "src/core/a.ts", "bun:sqlite"],
  ["chat-outside", "src/chat/a.ts", "bun:sqlite"],
  ["delivery-outside", "src/delivery/a.ts", "bun:sqlite"],
  ["text-outside", "src/text/a.ts", "node:os"],
  ["tools-outside", "src/tools/a.ts", "node:fs"],
  ["platform-outside", "src/platform/a.ts", "zod/mini"],
  ["hosts-opencode-outside", "src/hosts/opencode/a.ts", "bun:sqlite"],
  ["store-sqlite-outside", "src/store/sqlite/a.ts", "zod/mini"],
  ["resolvable", "src/core/a.ts", "./missing.ts"],
];

describe("the layers", () => {
  test("name every kind of violation by its rule", () => {
    const files: Record<string, string> = {};
    const expected: string[] = [];
    // One tree for all of them, since a run takes seconds: each violation has files of its own.
    for (const [index, [rule, from, to]] of violations.entries()) {
      const [source, imported] = [from, to].map((path) => path.replace(".ts", `${index}.ts`)) as [string, string];
      files[source] = imports(`${"../".repeat(source.split("/").length - 1)}${imported}`);
      files[imported] = target;
      expected.push(`error ${rule}: ${source} → ${imported}`);
    }
    for (const [index, [rule, from, specifier]] of outside.entries()) {
      const source = from.replace(".ts", `-outside${index}.ts`);
      files[source] = imports(specifier);
      expected.push(`error ${rule}: ${source} → `);
    }
    const { code, output } = check(files);
    for (const line of expected) expect(output).toContain(line);
    expect(code).toBe(1);
  });

  test("count an import of a type alone", () => {
    const { output } = check({
      "src/core/a.ts": 'import type { It } from "../chat/b.ts";\nexport type A = It;\n',
      "src/chat/b.ts": target,
    });
    expect(output).toContain("error core-imports: src/core/a.ts → src/chat/b.ts");
  });

  test("allow opencode's packages for their types, and not at run time", () => {
    const type = 'import type { PluginInput } from "@opencode-ai/plugin";\nexport type A = PluginInput;\n';
    const value = 'import { tool } from "@opencode-ai/plugin";\nconsole.log(tool);\n';
    const { output } = check({
      "src/hosts/opencode/a.ts": `import "./b.ts";\n${type}`,
      "src/hosts/opencode/b.ts": value,
    });
    expect(output).toContain("error host-types-only: src/hosts/opencode/b.ts → ");
    expect(output).not.toContain("host-types-only: src/hosts/opencode/a.ts");
  });

  test("find a cycle, and a module nobody imports", () => {
    expect(check({ "src/core/a.ts": imports("./b.ts"), "src/core/b.ts": imports("./a.ts") }).output).toContain(
      "error no-cycle",
    );
    expect(check({ "src/core/lonely.ts": target }).output).toContain("error no-orphan: src/core/lonely.ts");
  });

  test("fail when nothing was read", () => {
    mkdirSync(join(tree, "src"));
    const { code, output } = check({});
    expect(output).toContain("read 0 of 0 modules");
    expect(code).toBe(1);
  });

  test("pass on a tree that keeps them", () => {
    const { code, output } = check({ "src/chat/a.ts": imports("../core/b.ts"), "src/core/b.ts": target });
    expect([code, output]).toEqual([0, ""]);
  });
});
