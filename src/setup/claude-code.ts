import { join } from "node:path";
import { claudeBlock } from "../text/setup.ts";
import { settingsEntries } from "./claude-entries.ts";
import type { FileTask } from "./edit-file.ts";
import { jsonEdit } from "./json-edit.ts";
import { claudeNotices } from "./notices.ts";
import { serverEntries } from "./server-entry.ts";
import { runTasks, type SetupEnvironment, type SetupOptions, type SetupResult } from "./setup.ts";
import { addBlock, holdsBlock, removeBlock } from "./text-block.ts";

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
