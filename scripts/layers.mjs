// Checks the layers with dependency-cruiser. One that reads no module finds no fault, so the number it read is checked too.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = join(dirname(fileURLToPath(import.meta.url)), "..");
/** The tree to check; another one than this project's in the tests of the rules. */
const root = resolve(process.argv[2] ?? here);
const program = join(here, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
const config = join(here, ".dependency-cruiser.cjs");

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const result = spawnSync(process.execPath, [program, "src", "--config", config, "--output-type", "json"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 256 * 1024 * 1024,
});
if (!result.stdout.startsWith("{")) {
  console.error(`dependency-cruiser ended with ${result.status}:\n${result.stdout}${result.stderr}`);
  process.exit(1);
}
const { modules, summary } = JSON.parse(result.stdout);
const read = modules.filter((module) => module.source.startsWith("src/")).length;
if (sources.length === 0 || read < sources.length) {
  console.error(
    `dependency-cruiser read ${read} of ${sources.length} modules in ${join(root, "src")}: it proves nothing.`,
  );
  process.exit(1);
}
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} → ${to}`);
if (summary.violations.length > 0) process.exit(1);
