import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { jsonEdit } from "./json-edit.ts";
import type { EntrySet } from "./json-entries.ts";
import { otherThatches } from "./notices.ts";
import { runTasks, type SetupEnvironment, type SetupOptions, type SetupResult } from "./setup.ts";

const SEED = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';

/** Adds thatch to the plugins of opencode, or takes it out. */
export function setupOpencode(options: SetupOptions, environment: SetupEnvironment): SetupResult {
  const edit = jsonEdit(pluginEntry(environment.root));
  const task = { file: opencodeFile(options.global, environment), edit, seed: SEED, mode: 0o644 };
  return runTasks([task], { ...options, stateFolder: environment.stateFolder }, otherThatches(environment));
}

function pluginEntry(root: string): EntrySet {
  return {
    entries: [{ path: ["plugin"], value: `file://${root}`, element: true }],
    isOurs: (path, found) => path.length === 2 && path[0] === "plugin" && isPlugin(found, root),
  };
}

/** Also true for a thatch in another folder: two of them would deliver twice. */
function isPlugin(found: unknown, root: string): boolean {
  const entry = Array.isArray(found) ? found[0] : found;
  return (
    entry === `file://${root}` ||
    (typeof entry === "string" && /^file:\/\/.*\/thatch(\/dist\/opencode\.js)?\/?$/.test(entry))
  );
}

/** The config that is there: `opencode.json` or `opencode.jsonc`; the first where there is neither. */
function opencodeFile(global: boolean, { variables, home, directory }: SetupEnvironment): string {
  const xdg = variables.XDG_CONFIG_HOME;
  const folder = global ? join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "opencode") : directory;
  const json = join(folder, "opencode.json");
  const jsonc = join(folder, "opencode.jsonc");
  return !existsSync(json) && existsSync(jsonc) ? jsonc : json;
}
