// Format, lint, types and layers. Prints nothing but faults, and a line at the end.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const tsc = join(modules, "typescript", "bin", "tsc");

const checks = [
  ["format and lint", join(modules, "@biomejs", "biome", "bin", "biome"), "check", "--error-on-warnings", "."],
  ["types of the core, which knows no platform", tsc, "-p", "tsconfig.core.json"],
  ["types", tsc, "-p", "tsconfig.json"],
  ["layers", join(root, "scripts", "layers.mjs")],
];

const failed = [];
for (const [name, ...command] of checks) {
  const result = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  if (result.status === 0) continue;
  failed.push(name);
  console.error(`\n# ${name}\n${result.stdout}${result.stderr}${result.error?.message ?? ""}`);
}
console.log(failed.length === 0 ? `${checks.length} checks passed.` : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
