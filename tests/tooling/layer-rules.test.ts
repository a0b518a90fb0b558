import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, runNode } from "./project.ts";
import { withTree } from "./tree.ts";

/** Runs the project's rules over a tree of its own. */
const layers = (folder: string) => runNode([join(root, "scripts", "layers.mjs"), folder]);
const rules = Object.values<{ name: string }>(require(join(root, ".dependency-cruiser.cjs")).forbidden).map(
  ({ name }) => name,
);

const packages = [
  "zod",
  "left-pad",
  "@opencode-ai/plugin",
  "@stricli/core",
  "jsonc-parser",
  "@modelcontextprotocol/server",
];
const uses = (...targets: string[]) =>
  `${targets.map((target, index) => `import * as i${index} from "${target}";`).join("\n")}\nexport const used = [${targets.map((_, index) => `i${index}`).join(", ")}];\n`;
const usesType = (target: string) => `import type * as i from "${target}";\nexport type Used = typeof i;\n`;

/** A tree in which each layer takes what it may take. */
const lawful: Record<string, string> = {
  ...Object.fromEntries(
    packages.flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" })],
      [`node_modules/${name}/index.js`, "module.exports = {};\n"],
    ]),
  ),
  "package.json": JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, "1.0.0"])) }),
  "src/core/session.ts": "export const session = 1;\n",
  "src/core/roster.ts": usesType("./session.ts"),
  "src/chat/list.ts": uses("../core/roster.ts"),
  "src/store/sqlite/store.ts": uses("bun:sqlite", "node:fs", "node:path", "../../core/session.ts"),
  "src/delivery/poller.ts": uses("node:fs", "node:path", "../chat/list.ts", "../core/session.ts"),
  "src/text/echo.ts": uses("../core/session.ts"),
  "src/tools/list.ts": uses("zod", "../text/echo.ts", "../chat/list.ts", "../core/session.ts"),
  "src/platform/clock.ts": uses("node:os", "node:child_process", "../core/session.ts"),
  "src/hosts/opencode/hook.ts": usesType("@opencode-ai/plugin"),
  "src/hosts/opencode/plugin.ts": uses(
    ...["node:path", "./hook.ts", "../../platform/clock.ts", "../../store/sqlite/store.ts", "../../tools/list.ts"],
    ...["../../delivery/poller.ts", "../../text/echo.ts", "../../chat/list.ts", "../../core/session.ts"],
  ),
  "src/hosts/mcp/server.ts": uses(
    "@modelcontextprotocol/server",
    "node:fs",
    "../../tools/list.ts",
    "../../platform/clock.ts",
  ),
  "src/hook-host/run.ts": uses(
    ...["node:path", "../core/session.ts", "../chat/list.ts", "../text/echo.ts", "../platform/clock.ts"],
    "../store/sqlite/store.ts",
  ),
  "src/hosts/claude-code/hook.ts": uses(
    ...["node:fs", "node:path", "../../platform/clock.ts", "../../store/sqlite/store.ts", "../../hook-host/run.ts"],
  ),
  "src/hook/main.ts": uses("../hosts/claude-code/hook.ts", "../hook-host/run.ts", "../platform/clock.ts"),
  "src/cli/main.ts": uses(
    ...["@stricli/core", "../store/sqlite/store.ts", "../hosts/opencode/plugin.ts", "../hosts/mcp/server.ts"],
    ...["../hook/main.ts", "../setup/opencode.ts"],
  ),
  "src/setup/opencode.ts": uses("jsonc-parser", "node:fs", "../platform/clock.ts"),
};

/** What the planted faults need besides, and what is reported under another file's name. */
const accomplices: Record<string, string> = {
  "tests/support.ts": "export const s = 1;\n",
  "src/text/two.ts": usesType("./one.ts"),
  "src/elsewhere/thing.ts": "export const thing = 1;\n",
};

/** Files that break a rule: the rule's name, the file, its content. */
const planted: [rule: string, file: string, content: string][] = [
  ["core-imports", "src/core/bad.ts", uses("../chat/list.ts")],
  ["core-imports", "src/core/bad-type.ts", usesType("../text/echo.ts")],
  ["core-outside", "src/core/bad-crypto.ts", usesType("node:crypto")],
  ["core-outside", "src/core/bad-bun.ts", uses("bun")],
  ["core-outside", "src/core/bad-sqlite.ts", uses("bun:sqlite")],
  ["chat-imports", "src/chat/bad.ts", uses("../store/sqlite/store.ts")],
  ["chat-outside", "src/chat/bad-fs.ts", uses("node:fs")],
  ["store-sqlite-imports", "src/store/sqlite/bad.ts", uses("../../chat/list.ts")],
  ["store-sqlite-outside", "src/store/sqlite/bad-net.ts", uses("node:net")],
  ["delivery-imports", "src/delivery/bad.ts", uses("../store/sqlite/store.ts")],
  ["delivery-outside", "src/delivery/bad-os.ts", uses("node:os")],
  ["sqlite-in-its-store", "src/delivery/bad-sqlite.ts", uses("bun:sqlite")],
  ["sqlite-in-its-store", "src/cli/bad-sqlite.ts", uses("node:sqlite")],
  ["text-imports", "src/text/bad.ts", uses("../chat/list.ts")],
  ["text-outside", "src/text/bad-fs.ts", uses("node:fs")],
  ["tools-imports", "src/tools/bad.ts", uses("../platform/clock.ts")],
  ["tools-outside", "src/tools/bad-npm.ts", uses("left-pad")],
  ["platform-imports", "src/platform/bad.ts", uses("../chat/list.ts")],
  ["platform-outside", "src/platform/bad-npm.ts", uses("zod")],
  ["hosts-opencode-imports", "src/hosts/opencode/bad.ts", uses("../../cli/main.ts")],
  ["hosts-opencode-outside", "src/hosts/opencode/bad-npm.ts", uses("zod")],
  ["host-types-only", "src/hosts/opencode/bad-value.ts", uses("@opencode-ai/plugin")],
  ["hosts-apart", "src/hosts/opencode/bad-host.ts", uses("../mcp/server.ts")],
  ["hosts-mcp-imports", "src/hosts/mcp/bad.ts", uses("../../cli/main.ts")],
  ["hosts-mcp-outside", "src/hosts/mcp/bad-npm.ts", uses("left-pad")],
  ["hosts-claude-code-imports", "src/hosts/claude-code/bad.ts", uses("../../hook/main.ts")],
  ["hosts-claude-code-outside", "src/hosts/claude-code/bad-npm.ts", uses("zod")],
  ["hook-host-imports", "src/hook-host/bad.ts", uses("../hosts/mcp/server.ts")],
  ["hook-host-outside", "src/hook-host/bad-npm.ts", uses("zod")],
  ["hook-imports", "src/hook/bad.ts", uses("../cli/main.ts")],
  ["hook-outside", "src/hook/bad-npm.ts", uses("zod")],
  ["known-layer-from", "src/hosts/zed/server.ts", uses("../../core/session.ts")],
  ["known-layer-to", "src/cli/bad-folder.ts", uses("../hosts/zed/server.ts")],
  ["cli-imports", "src/cli/bad.ts", uses("../elsewhere/thing.ts")],
  ["cli-outside", "src/cli/bad-npm.ts", uses("left-pad")],
  ["setup-imports", "src/setup/bad.ts", uses("../cli/main.ts")],
  ["setup-outside", "src/setup/bad-npm.ts", uses("left-pad")],
  ["source-stands-alone", "src/cli/bad-test.ts", uses("../../tests/support.ts")],
  ["no-cycle", "src/text/one.ts", uses("./two.ts")],
  ["resolvable", "src/text/bad-path.ts", uses("./missing.ts")],
  ["no-orphan", "src/core/bad-orphan.ts", "export const alone = 1;\n"],
];

test("a tree in which every layer takes all it may take has no fault", () => {
  withTree(lawful, (folder) => expect(layers(folder)).toMatchObject({ code: 0, output: "" }));
});

test("every planted fault is found under its rule's name, and no lawful file with it", () => {
  const faulty = Object.fromEntries(planted.map(([, file, content]) => [file, content]));
  withTree({ ...lawful, ...accomplices, ...faulty }, (folder) => {
    const { code, output } = layers(folder);
    expect(code).toBe(1);
    const found = [...output.matchAll(/^error (\S+): (\S+) → /gm)].map(([, rule, file]) => `${rule} ${file}`);
    for (const [rule, file] of planted) expect(found).toContain(`${rule} ${file}`);
    const faultyFiles = new Set(found.map((fault) => fault.split(" ")[1]));
    expect([...faultyFiles].sort()).toEqual(planted.map(([, file]) => file).sort());
  });
});

test("every rule has a planted fault, and every layer of this project has its rules", () => {
  expect([...rules].sort()).toEqual([...new Set(planted.map(([rule]) => rule))].sort());
  const folders = readdirSync(join(root, "src")).flatMap((name) =>
    ["store", "hosts"].includes(name) ? readdirSync(join(root, "src", name)).map((sub) => `${name}-${sub}`) : name,
  );
  expect(rules).toEqual(expect.arrayContaining(folders.map((name) => `${name}-imports`)));
});

test("a run that read fewer modules than there are fails", () => {
  // dependency-cruiser passes over such a folder.
  withTree({ ...lawful, "src/core/node_modules/more.ts": "export type More = 1;\n" }, (folder) => {
    const { code, output } = layers(folder);
    expect(code).toBe(1);
    expect(output).toContain("read 16 of 17 modules");
  });
});
