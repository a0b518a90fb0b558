// Makes a checkout ready to run with nothing but Node and npm: installs the locked packages, makes sure that the programs in them
// run, and builds the plugin. Quiet unless something fails. No dependency of its own: it runs before there are any.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./setup-lock.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stamp = join(modules, ".thatch-setup");

/** The programs the project runs, what they have to say to --version, and the script that puts them in place after an install. */
const programs = [
  { name: "bun", file: "bun/bin/bun.exe", version: "1.4.5", script: "bun/install.js" },
  { name: "bun-1.3.14", file: "bun-1.3.14/bin/bun.exe", version: "1.3.14", script: "bun-1.3.14/install.js" },
  { name: "opencode", file: "opencode-ai/bin/opencode.exe", version: "1.18.33", script: "opencode-ai/postinstall.mjs" },
  {
    name: "Claude Code",
    file: "@anthropic-ai/claude-code/bin/claude.exe",
    version: "2.1.332 (Claude Code)",
    script: "@anthropic-ai/claude-code/install.cjs",
  },
];

try {
  await withLock(join(root, ".setup-lock"), () => {
    if (isDone()) return;
    install();
    inEmptyHome((env) => {
      for (const program of programs) ensureRuns(program, env);
    });
    writeFileSync(stamp, state());
  });
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
  if (process.argv.includes("--say")) console.log(`thatch is ready: ${join(root, "bin", "thatch")} --help`);
} catch (error) {
  console.error(`Set-up failed. ${error.message}`);
  process.exitCode = 1;
}

function isDone() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === state();
}

/** What was set up, to the lock file's content and the very program files that were seen to run: they are not started again each time. */
function state() {
  const files = programs.map(({ file }) => {
    const found = statSync(join(modules, file), { throwIfNoEntry: false });
    return `${file} ${found === undefined ? "missing" : `${found.size} ${found.mtimeMs}`}`;
  });
  return [lockHash(), ...files, ""].join("\n");
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function install() {
  // Only a program is missing or was replaced: the packages themselves are the locked ones.
  if (existsSync(stamp) && readFileSync(stamp, "utf8").startsWith(lockHash())) return;
  console.error("Installing the pinned packages (a minute or two, once) …");
  rmSync(stamp, { force: true });
  // All the tools are development dependencies, which npm leaves out under NODE_ENV=production or omit=dev.
  run("npm", ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** npm may be set not to run install scripts, which these packages need to put their program in place. */
function ensureRuns({ name, file, version, script }, env) {
  const program = join(modules, file);
  if (versionOf(program, env) === version) return;
  const path = join(modules, script);
  if (!existsSync(path)) {
    throw new Error(`${name} ${version} does not run, and ${path} is missing. Delete ${modules} and try again.`);
  }
  run(process.execPath, [path], dirname(path));
  const found = versionOf(program, env);
  if (found !== version) {
    throw new Error(
      `${program} has to say ${version} to --version, but it says: ${found}. Delete ${modules} and try again; ` +
        `if that does not help, ${name} may not support this machine (${process.platform} ${process.arch}).`,
    );
  }
}

/** What the program says to --version, or why it says nothing. */
function versionOf(program, env) {
  const result = spawnSync(program, ["--version"], { encoding: "utf8", env });
  if (result.error) return result.error.message;
  if (result.status !== 0) return `exit code ${result.status ?? result.signal}: ${result.stderr.trim()}`;
  return result.stdout.trim();
}

/** A host writes folders into the home of whoever asks for its version; the person's own stays as it is. */
function inEmptyHome(task) {
  const home = mkdtempSync(join(tmpdir(), "thatch-setup-"));
  try {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(XDG|OPENCODE|CLAUDE|ANTHROPIC)_/.test(name)),
    );
    task({ ...env, HOME: home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (result.error) throw new Error(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    const end = result.status ?? result.signal;
    throw new Error(`${command} ${args.join(" ")} ended with ${end}:\n${result.stdout}${result.stderr}`);
  }
}
