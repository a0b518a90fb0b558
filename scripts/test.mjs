// Runs the tests and ends with the line "N passed, N failed". Arguments choose folders or files: `npm test -- core e2e/races.test.ts`.
// With --long the suites that scale (faults) run as often as they were made for.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tests = join(root, "tests");
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
/** The Bun inside opencode: what the plugin reaches has to work on it. */
const hostBun = join(root, "node_modules", "bun-1.3.14", "bin", "bun.exe");

/** A run that takes longer than this hangs outside of any test, whose own limit is a minute unless it sets another. */
const RUN_MAX_MS = 15 * 60 * 1000;

/** Folders of tests, in the order they run. `hosted`: the plugin reaches what they test. `alone`: real hosts or much load, a file at a time. */
const suites = [
  { name: "core", hosted: true },
  { name: "store", hosted: true },
  { name: "chat", hosted: true },
  { name: "text", hosted: true },
  { name: "tools", hosted: true },
  { name: "delivery", hosted: true },
  { name: "platform", hosted: true },
  { name: "hosts", hosted: true },
  { name: "hook" },
  { name: "mcp" },
  { name: "cli" },
  { name: "setup" },
  { name: "tooling" },
  { name: "faults", alone: true },
  { name: "e2e", alone: true },
];

const reports = mkdtempSync(join(tmpdir(), "thatch-junit-"));
process.once("exit", () => rmSync(reports, { recursive: true, force: true }));
let passed = 0;
let failed = 0;
const chosen = process.argv.slice(2).filter((argument) => argument !== "--long");
const env = process.argv.includes("--long") ? { ...process.env, THATCH_TEST_FAULTS: "long" } : process.env;

for (const suite of suites) {
  const folder = join(tests, suite.name);
  const files = filesOf(folder).filter((file) => isChosen(suite.name, file));
  if (files.length === 0) {
    if (chosen.length === 0) fault(`tests/${suite.name} has no test file.`);
    continue;
  }
  if (suite.alone) for (const file of files) await runBun(bun, [file], "Bun 1.4.5");
  else await runBun(bun, files, "Bun 1.4.5");
  if (suite.hosted) await runBun(hostBun, files, "Bun 1.3.14");
}
if (passed + failed === 0) fault(`No test file fits ${chosen.join(" ")}: name a folder of tests/, or a file in one.`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .sort();
}

function isChosen(suite, file) {
  if (chosen.length === 0) return true;
  const path = file.slice(tests.length + 1).replaceAll("\\", "/");
  return chosen.some((choice) => choice === suite || choice.replace(/^(\.\/)?tests\//, "") === path);
}

/** Runs test files and adds up their results. A run that reports nothing, or fails without a failed test, is a failure itself. */
async function runBun(program, files, label) {
  const report = join(reports, `${Math.random().toString(36).slice(2)}.xml`);
  const names = files.map((file) => file.slice(root.length + 1));
  console.log(
    `\n# ${label}: ${names.length > 3 ? `${names.slice(0, 3).join(" ")} and ${names.length - 3} more` : names.join(" ")}`,
  );
  const args = ["test", "--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`, ...files];
  const code = await new Promise((resolve) => {
    spawn(program, args, {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
      timeout: RUN_MAX_MS,
      killSignal: "SIGKILL",
    })
      .on("error", (error) => resolve(error.message))
      .on("close", (exitCode, signal) => resolve(exitCode ?? signal));
  });
  const counts = countsIn(report);
  if (counts === null) return fault(`${label} ended with ${code} and reported no results for ${names.join(" ")}.`);
  passed += counts.tests - counts.failures - counts.skipped;
  failed += counts.failures;
  if (counts.skipped > 0)
    fault(`${counts.skipped} tests were skipped in ${names.join(" ")}: a test that does not run proves nothing.`);
  if (counts.tests === 0) fault(`${names.join(" ")} ran no test.`);
  else if (code !== 0 && counts.failures === 0)
    fault(`${label} ended with ${code} though no test failed in ${names.join(" ")}.`);
}

function countsIn(report) {
  if (!existsSync(report)) return null;
  const head = /<testsuites\b[^>]*>/.exec(readFileSync(report, "utf8"))?.[0];
  if (head === undefined) return null;
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  return { tests: number("tests"), failures: number("failures") + number("errors"), skipped: number("skipped") };
}

function fault(message) {
  console.log(`FAILED: ${message}`);
  failed += 1;
}
