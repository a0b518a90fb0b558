// Bundles the opencode plugin into one file: opencode installs nothing for a plugin given by path, and one file loads faster.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
const target = join(root, "dist", "opencode.js");
// Written aside and renamed, so that an opencode that starts meanwhile never loads half a file.
const fresh = join(root, "dist", `.opencode-${process.pid}.js`);

mkdirSync(dirname(target), { recursive: true });
const entry = join(root, "src", "hosts", "opencode", "plugin.ts");
const built = spawnSync(bun, ["build", entry, "--target=bun", `--outfile=${fresh}`], { cwd: root, encoding: "utf8" });
if (built.status !== 0) {
  rmSync(fresh, { force: true });
  console.error(
    `The plugin could not be built (${built.error?.message ?? `bun build ended with ${built.status}`}):\n${built.stdout}${built.stderr}`,
  );
  process.exit(1);
}
renameSync(fresh, target);
