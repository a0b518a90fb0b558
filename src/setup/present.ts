import { existsSync, readFileSync } from "node:fs";
import { claudeFile } from "./claude-code.ts";
import { isHookCommand, settingsEntries } from "./claude-entries.ts";
import { jsonEdit } from "./json-edit.ts";
import { isOurServer, serverEntries } from "./server-entry.ts";
import type { SetupEnvironment } from "./setup.ts";

/** What one of Claude Code's files says of thatch. */
export interface ClaudePresence {
  readonly part: "server" | "hooks";
  readonly file: string;
  /** `current`: as set-up would write it now; `other`: of another thatch, another Bun or an older form; `none`. */
  readonly state: "current" | "other" | "none";
  /** What is started there, with its arguments; null for `none`. */
  readonly command: readonly string[] | null;
}

/** Looks at the user's and the project's settings of a Claude Code started in this folder. Throws, naming the file, when one of them is no JSON. */
export function claudePresence(environment: SetupEnvironment): ClaudePresence[] {
  return [true, false].flatMap((global) => [
    look("server", claudeFile("server", global, environment), jsonEdit(serverEntries(environment)), isOurServer),
    look(
      "hooks",
      claudeFile("settings", global, environment),
      jsonEdit(settingsEntries(environment, false)),
      isHookCommand,
    ),
  ]);
}

function look(
  part: ClaudePresence["part"],
  file: string,
  edit: ReturnType<typeof jsonEdit>,
  isOurs: (found: unknown) => boolean,
): ClaudePresence {
  if (!existsSync(file)) return { part, file, state: "none", command: null };
  const text = readFileSync(file, "utf8");
  try {
    const command = firstCommand(Bun.JSONC.parse(text.replace(/^\uFEFF/, "")), isOurs);
    if (command === null) return { part, file, state: "none", command };
    return { part, file, state: edit.holds(text, null) ? "current" : "other", command };
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The first entry of thatch, wherever it stands. */
function firstCommand(value: unknown, isOurs: (found: unknown) => boolean): string[] | null {
  if (typeof value !== "object" || value === null) return null;
  if (isOurs(value)) {
    const { command, args } = value as { command?: unknown; args?: unknown };
    // A command without arguments is a line for a shell, as hosts run it.
    return Array.isArray(args) ? [command, ...args].map(String) : ["/bin/sh", "-c", String(command)];
  }
  for (const inner of Object.values(value)) {
    const found = firstCommand(inner, isOurs);
    if (found !== null) return found;
  }
  return null;
}
