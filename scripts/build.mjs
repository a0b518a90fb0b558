// Bundles what is shipped, each entry into one file that needs no package: a host installs nothing for a program given by its path,
// and one file loads faster.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");

const entries = [
  { name: "opencode", source: "src/hosts/opencode/plugin.ts" },
  { name: "thatch", source: "src/cli/main.ts" },
];

mkdirSync(join(root, "dist"), { recursive: true });
for (const { name, source } of entries) {
  // Written aside and renamed, so that a host that starts meanwhile never loads half a file.
  const fresh = join(root, "dist", `.${name}-${process.pid}.js`);
  const built = spawnSync(bun, ["build", join(root, source), "--target=bun", `--outfile=${fresh}`], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) {
    rmSync(fresh, { force: true });
    console.error(
      `${source} could not be built (${built.error?.message ?? `bun build ended with ${built.status}`}):\n${built.stdout}${built.stderr}`,
    );
    process.exit(1);
  }
  renameSync(fresh, join(root, "dist", `${name}.js`));
}
