import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { root, runNode } from "./project.ts";
import { withTree } from "./tree.ts";

interface Manifest {
  name: string;
  license: string;
  private?: boolean;
  main: string;
  exports: Record<string, string>;
  files: string[];
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface Lock {
  packages: Record<string, { version?: string; resolved?: string; integrity?: string; link?: boolean }>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
/** opencode's programs for other machines; the lock was written where their checksums could not be had. */
const otherMachines = /^node_modules\/opencode-(darwin|windows|linux-arm64|linux-x64-(baseline-)?musl)/;
const plugin = join(root, manifest.main);

test("the entries of the manifest exist, and a host finds the plugin under each of its names", () => {
  for (const entry of [manifest.main, ...Object.values(manifest.exports)]) {
    expect([entry, existsSync(join(root, entry))]).toEqual([entry, true]);
  }
  expect(manifest.exports["./server"]).toBe(manifest.main);
  expect(manifest.exports["."]).toBe(manifest.main);
});

test("what is published holds the plugin and the licence, and neither sources nor tests", () => {
  const { code, stdout } = runNpm("pack", "--dry-run", "--json", "--ignore-scripts");
  expect(code).toBe(0);
  const [pack]: { files: { path: string }[] }[] = JSON.parse(stdout);
  const paths = (pack?.files ?? []).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["package.json", "LICENSE", "README.md", "dist/opencode.js"]));
  expect(paths.filter((path) => /^(src|tests|testbed|scripts|bench|demo|node_modules)\//.test(path))).toEqual([]);
  expect(manifest.private).toBeUndefined();
});

test("the bundled plugin exports its default alone and needs no package at run time", async () => {
  const exported: Record<string, unknown> = await import(plugin);
  expect(Object.keys(exported)).toEqual(["default"]);
  expect(exported.default).toMatchObject({ id: expect.any(String), server: expect.any(Function) });
  const imports = new Bun.Transpiler({ loader: "js" }).scanImports(readFileSync(plugin, "utf8"));
  expect(imports.length).toBeGreaterThan(0);
  const foreign = imports.map(({ path }) => path).filter((path) => !isBuiltIn(path));
  expect(foreign).toEqual([]);
});

test("every command sets itself up first", () => {
  for (const name of ["demo", "test", "bench", "check"]) {
    expect([name, manifest.scripts[name]]).toEqual([
      name,
      expect.stringMatching(/^node scripts\/setup\.mjs && node scripts\//),
    ]);
  }
});

test("every dependency is pinned to one version, and the lock has just that one", () => {
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(Object.keys(all).length).toBeGreaterThan(5);
  for (const [name, wanted] of Object.entries(all)) {
    expect([name, wanted]).toEqual([name, expect.stringMatching(/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/)]);
    expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, wanted.replace(/^npm:.*@/, "")]);
  }
});

test("the lock names no registry, and vouches for every package by its checksum", () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  const unsure = packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path);
  expect(unsure.filter((path) => !otherMachines.test(path))).toEqual([]);
});

test("the core is compiled without the types of any platform", () => {
  const uses = (name: string) => `export const used = ${name};\n`;
  const names = ["process", "Bun", "setTimeout", "console", "fetch", "document", "Buffer"];
  const files = Object.fromEntries(names.map((name) => [`${name}.ts`, uses(name)]));
  const config = JSON.stringify({ extends: join(root, "tsconfig.core.json"), include: ["*.ts"] });
  withTree({ ...files, "lawful.ts": "export const used = [1].at(-1);\n", "tsconfig.json": config }, (folder) => {
    const { stdout } = runNode([join(root, "node_modules", "typescript", "bin", "tsc"), "-p", folder]);
    const faulty = [...stdout.matchAll(/(\w+)\.ts\(\d+,\d+\): error TS2\d+: Cannot find name/g)].map(
      ([, name]) => name,
    );
    expect(faulty.sort()).toEqual([...names].sort());
  });
});

function isBuiltIn(path: string): boolean {
  return path === "bun" || path.startsWith("bun:") || builtinModules.includes(path.replace(/^node:/, ""));
}

function runNpm(...args: string[]) {
  const result = Bun.spawnSync(["npm", ...args], { cwd: root, stderr: "inherit" });
  return { code: result.exitCode, stdout: result.stdout.toString() };
}
