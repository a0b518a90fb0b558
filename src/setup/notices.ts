import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { SetupNotice } from "../core/setup-report.ts";
import { programsOnPath } from "../platform/programs.ts";
import type { Installation } from "./installation.ts";

type Place = Installation & {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
};

/** Programs called thatch in PATH that do not belong to this installation. */
export function otherThatches({ root, variables }: Place): SetupNotice[] {
  const own = existsSync(root) ? realpathSync(root) : root;
  return programsOnPath("thatch", variables.PATH)
    .filter(({ file }) => !file.startsWith(`${own}/`))
    .map(({ path }) => ({ code: "other-program", path }));
}

/** Also thatch as a Claude Code plugin, whose hooks would fire beside these, and Claude Code's own messaging. */
export function claudeNotices(place: Place): SetupNotice[] {
  const config = place.variables.CLAUDE_CONFIG_DIR || join(place.home, ".claude");
  const file = join(config, "plugins", "installed_plugins.json");
  const plugin: SetupNotice[] = namesPlugin(file) ? [{ code: "plugin-too", file }] : [];
  const native: SetupNotice[] =
    programsOnPath("claude", place.variables.PATH).length > 0 ? [{ code: "native-messaging" }] : [];
  return [...otherThatches(place), ...plugin, ...native];
}

function namesPlugin(file: string): boolean {
  try {
    return /"thatch@[^"]*"/.test(readFileSync(file, "utf8"));
  } catch {
    // No list of plugins, or not for us to read: nothing to warn of.
    return false;
  }
}
