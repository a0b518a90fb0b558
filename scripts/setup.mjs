// Makes a checkout ready to run with nothing but Node and npm: installs the locked packages, makes sure that the programs in them
// run, and builds the plugin. Quiet unless something fails. No dependency of its own: it runs before there are any.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".thatch-setup");
const lock = join(root, ".setup-lock");
/** An install that takes longer than this was killed, and its lock is void. */
const LOCK_MAX_AGE_MS = 15 * 60 * 1000;

/** The programs the project runs, what they have to say to --version, and the script that puts them in place after an install. */
const programs = [
  { name: "bun", file: "bun/bin/bun.exe", version: "1.4.5", script: "bun/install.js" },
  { name: "bun-1.3.14", file: "bun-1.3.14/bin/bun.exe", version: "1.3.14", script: "bun-1.3.14/install.js" },
  { name: "opencode", file: "opencode-ai/bin/opencode.exe", version: "1.18.33", script: "opencode-ai/postinstall.mjs" },
];

await withLock(() => {
  install();
  for (const program of programs) ensureRuns(program);
});
build();

function install() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.error("Installing the pinned packages (a minute or two, once) …");
  rmSync(stamp, { force: true });
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

/** npm may be set not to run install scripts, which these packages need to put their program in place. */
function ensureRuns({ name, file, version, script }) {
  const program = join(modules, file);
  const found = versionOf(program);
  if (found === version) return;
  run(process.execPath, [join(modules, script)], dirname(join(modules, script)));
  const after = versionOf(program);
  if (after !== version) {
    fail(
      `${name} has to be ${version}, but ${program} says ${JSON.stringify(after ?? found)}. Delete node_modules and try again.`,
    );
  }
}

function versionOf(program) {
  if (!existsSync(program)) return null;
  const result = spawnSync(program, ["--version"], { encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : null;
}

function build() {
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0)
    fail(`${command} ${args.join(" ")} ended with ${result.status}:\n${result.stdout}${result.stderr}`);
}

/** Two commands started at once must not install into the same folder; the second waits for the first. */
async function withLock(task) {
  for (let announced = false; ; ) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (isOld(lock)) {
        rmSync(lock, { recursive: true, force: true });
        continue;
      }
      if (!announced) console.error(`Waiting for another set-up of this checkout (${lock}) …`);
      announced = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once("exit", release);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  task();
  release();
}

function isOld(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs > LOCK_MAX_AGE_MS;
  } catch (error) {
    // It was released between the two looks.
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function fail(message) {
  console.error(`Set-up failed. ${message}`);
  process.exit(1);
}
