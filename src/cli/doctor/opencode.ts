import { runProgram } from "../../platform/run-program.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { checkActive } from "./active.ts";
import { broken, type Check, ok, warn } from "./check.ts";
import { checkHostProgram } from "./host-program.ts";
import { type PluginEntry, readOpencodeConfigs } from "./opencode-configs.ts";

/** Loading the plugin takes some 30 ms. */
const LOAD_MS = 10_000;
/** Loads the module named in its first argument and says whether it exports what opencode takes for a plugin. */
const LOAD = `const { default: plugin } = await import(process.argv[1]);
if (typeof plugin?.server !== "function") throw new Error("it has no default export with a server function");`;

/** opencode: its program, the entries of thatch's plugin in its config files, and whether they load and beat. */
export async function checkOpencode(context: CliContext): Promise<Check[]> {
  const is = SUBJECT.opencode;
  const { environment, root } = context;
  const program = await checkHostProgram(is, "opencode", environment.PATH);
  const { files, faults, entries, globalFile } = readOpencodeConfigs(environment, process.cwd());
  const checks = [program.check];
  for (const { file, reason } of faults) {
    checks.push(broken(is, FINDING.badConfig(file, reason), FINDING.badConfigFix));
  }
  // Where there is no opencode, nothing is amiss.
  if (entries.length === 0 && program.version !== null) {
    checks.push(warn(is, FINDING.noEntry(files), FINDING.noEntryFix(globalFile, root)));
  }
  for (const entry of entries) checks.push(await checkEntry(entry, context));
  if (entries.length > 1) {
    const where = entries.map(({ specifier, file }) => `${specifier} in ${file}`);
    checks.push(warn(is, FINDING.severalEntries(where), FINDING.severalEntriesFix));
  }
  if (entries.length > 0) checks.push(...(await checkActive(context, "opencode", is)));
  return checks;
}

async function checkEntry(entry: PluginEntry, { root, version }: CliContext): Promise<Check> {
  const is = SUBJECT.opencode;
  const { specifier, file, target } = entry;
  if (target === null) return ok(is, FINDING.packagePlugin(specifier, file));
  if (target.module === null) {
    return broken(is, FINDING.missingPlugin(specifier, file), FINDING.missingPluginFix(root));
  }
  const end = await runProgram([process.execPath, "-e", LOAD, target.module], LOAD_MS);
  if (end.kind === "failed" || end.code !== 0) {
    const reason = end.kind === "failed" ? end.reason : (/^error: (.*)$/m.exec(end.stderr)?.[1] ?? end.stderr.trim());
    return broken(is, FINDING.deadPlugin(specifier, reason), FINDING.deadPluginFix(target.root ?? root));
  }
  if (target.version !== null && target.version !== version) {
    return warn(is, FINDING.otherPlugin(specifier, target.version, version), FINDING.otherPluginFix);
  }
  return ok(is, FINDING.plugin(specifier, file));
}
