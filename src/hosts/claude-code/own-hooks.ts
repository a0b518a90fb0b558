import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the settings hold where set-up has put thatch's hooks into them. A search does: reading JSON would take longer than the hook. */
const OWN_HOOK = /[\\/]dist[\\/]hook\.js(' |"[^\]]*")claude-code"/;

/**
 * Whether thatch's hooks stand in a settings file that this Claude Code reads. Those of the plugin then say nothing, so that both ways of
 * installing at once do not tell everything twice.
 */
export function settingsHaveHooks(
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
): boolean {
  const { CLAUDE_CONFIG_DIR: config, HOME: home = "", CLAUDE_PROJECT_DIR: project } = environment;
  const folder = join(project || directory, ".claude");
  const files = [
    join(config || join(home, ".claude"), "settings.json"),
    join(folder, "settings.json"),
    join(folder, "settings.local.json"),
  ];
  return files.some((file) => {
    try {
      return OWN_HOOK.test(readFileSync(file, "utf8"));
    } catch {
      // A file that is not there, or that Claude Code cannot read either, has no hooks.
      return false;
    }
  });
}
