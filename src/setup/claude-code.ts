import { join } from "node:path";
import { claudeBlock } from "../text/setup.ts";
import { type Installation, serverEntries, settingsEntries } from "./claude-entries.ts";
import { editFile, type FileChange, type FileTask, type Mode, type SetupFault } from "./edit-file.ts";
import { jsonEdit } from "./json-edit.ts";
import { claudeNotices, type Notice } from "./notices.ts";
import { addBlock, holdsBlock, removeBlock } from "./text-block.ts";

export type SetupOptions = { readonly global: boolean; readonly remove: boolean; readonly dryRun: boolean };

/** What setup needs to know of the machine. All paths are absolute. */
export type SetupEnvironment = Installation & {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The project's folder. */
  readonly directory: string;
  /** Where receipts and backups are kept, such as `$XDG_STATE_HOME/thatch/setup`. */
  readonly stateFolder: string;
};

export type SetupResult = {
  readonly changes: readonly FileChange[];
  readonly faults: readonly SetupFault[];
  readonly notices: readonly Notice[];
};

/** Sets Claude Code up for thatch, or takes thatch out of it. Files that cannot be edited come back as faults; the others are done. */
export function setupClaudeCode(
  options: SetupOptions & { readonly allowTools: boolean },
  environment: SetupEnvironment,
): SetupResult {
  const block = claudeBlock();
  const tasks: FileTask[] = [
    task(
      claudeFile("server", options.global, environment),
      jsonEdit(serverEntries(environment)),
      "{}\n",
      options.global,
    ),
    task(
      claudeFile("settings", options.global, environment),
      jsonEdit(settingsEntries(environment, options.allowTools)),
      "{}\n",
      false,
    ),
    task(
      claudeFile("memory", options.global, environment),
      {
        holds: (text) => holdsBlock(text, block),
        add: (text) => addBlock(text, block),
        strip: removeBlock,
      },
      "",
      false,
    ),
  ];
  return runTasks(tasks, { ...options, stateFolder: environment.stateFolder }, claudeNotices(environment));
}

/** Edits each file and sorts what came of it. */
export function runTasks(tasks: readonly FileTask[], mode: Mode, notices: readonly Notice[]): SetupResult {
  const results = tasks.map((one) => editFile(one, mode));
  return {
    changes: results.filter((result) => "change" in result),
    faults: results.filter((result) => "fault" in result),
    notices: mode.remove ? [] : notices,
  };
}

/** Where Claude Code reads a setting. Its user scope stands in `CLAUDE_CONFIG_DIR`, and without one in the home folder. */
export function claudeFile(
  which: "server" | "settings" | "memory",
  global: boolean,
  { variables, home, directory }: Pick<SetupEnvironment, "variables" | "home" | "directory">,
): string {
  const config = variables.CLAUDE_CONFIG_DIR || null;
  if (which === "server") return global ? join(config ?? home, ".claude.json") : join(directory, ".mcp.json");
  const name = which === "settings" ? "settings.json" : "CLAUDE.md";
  if (global) return join(config ?? join(home, ".claude"), name);
  return which === "settings" ? join(directory, ".claude", name) : join(directory, name);
}

function task(file: string, edit: FileTask["edit"], seed: string, isPrivate: boolean): FileTask {
  return { file, edit, seed, mode: isPrivate ? 0o600 : 0o644 };
}
