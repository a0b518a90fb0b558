import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

const root = join(import.meta.dir, "..", "..");

/** The text files of the project: what git tracks or would. */
function textFiles(): string[] {
  const listing = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  if (!listing.success) throw new Error(`git ls-files failed: ${listing.stderr}`);
  return listing.stdout
    .toString()
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(root, file)) && !/\.(png|gif|jpg)$/.test(file));
}

describe("the project", () => {
  test("names no path of the machine it was made on, and no registry", () => {
    // Put together here, so that this file does not hold them itself.
    const forbidden = [
      ["/wo", "rk/"],
      ["/ro", "ot/"],
      ["../sha", "red"],
      ["registry.", "npmjs"],
      ["npm", "mirror"],
    ].map((parts) => parts.join(""));
    const found = textFiles().flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return forbidden.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
    });
    expect(found).toEqual([]);
  });

  test("pins every dependency, and its lock names no host", () => {
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      expect(`${name} ${version}`).toMatch(/ (npm:\w+@)?\d+\.\d+\.\d+$/);
    }
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    const hosts = Object.entries<{ resolved?: string }>(lock.packages).filter(
      ([, entry]) => entry.resolved !== undefined,
    );
    expect(hosts).toEqual([]);
  });

  test("ships a plugin that opencode can load from every entry it looks at", async () => {
    const entries = [manifest.main, manifest.exports["."], manifest.exports["./server"]];
    expect(new Set(entries)).toEqual(new Set(["./dist/opencode.js"]));
    const plugin = await import(join(root, manifest.main));
    expect(Object.keys(plugin)).toEqual(["default"]);
    expect(plugin.default).toEqual({ id: "thatch", server: expect.any(Function) });
  });

  test("ships a plugin that needs no package beside it", () => {
    const bundle = readFileSync(join(root, manifest.main), "utf8");
    const imported = [...bundle.matchAll(/^import\b[^"]*"([^"]+)";?$/gm)].map((match) => match[1] ?? "");
    expect(imported.length).toBeGreaterThan(0);
    for (const specifier of imported) expect(specifier).toMatch(/^(node:)?(fs|path|os)$|^bun(:sqlite)?$/);
  });
});
