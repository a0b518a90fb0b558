// Bundles what is shipped into files that need no package: a host installs nothing for a program given by its path, and few files
// load faster.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
const dist = join(root, "dist");

/** The command line is split, so that a command loads only what it needs; the plugin is one file, because a host knows one. */
const bundles = [
  { folder: ".", entry: "opencode.js", source: "src/hosts/opencode/plugin.ts", options: [] },
  { folder: ".", entry: "hook.js", source: "src/hook/main.ts", options: ["--minify"] },
  { folder: ".", entry: "mcp.js", source: "src/hosts/mcp/main.ts", options: ["--minify"] },
  { folder: "cli", entry: "main.js", source: "src/cli/main.ts", options: ["--splitting", "--minify"] },
];

for (const bundle of bundles) build(bundle);
// Claude Code copies the folder of a plugin; from its copy it has to find the way back.
writeFileSync(join(root, "claude-plugin", "root"), `${root}\n`);

function build({ folder, entry, source, options }) {
  const target = join(dist, folder);
  const fresh = join(dist, `.fresh-${process.pid}`);
  mkdirSync(target, { recursive: true });
  try {
    const names = ["--entry-naming", entry, "--chunk-naming", "[name]-[hash].[ext]"];
    const args = ["build", join(root, source), "--target=bun", `--outdir=${fresh}`, ...names, ...options];
    const built = spawnSync(bun, args, { cwd: root, encoding: "utf8" });
    if (built.status !== 0) {
      const end = built.error?.message ?? `bun build ended with ${built.status}`;
      console.error(`${source} could not be built (${end}):\n${built.stdout}${built.stderr}`);
      process.exitCode = 1;
      return;
    }
    // Renamed one by one, the entry last, so that a program that starts meanwhile never loads half a file, or a file that is not there yet.
    const files = readdirSync(fresh).sort((a, b) => Number(a === entry) - Number(b === entry));
    for (const file of files) renameSync(join(fresh, file), join(target, file));
    if (folder === ".") return;
    for (const file of readdirSync(target)) if (!files.includes(file)) rmSync(join(target, file));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
