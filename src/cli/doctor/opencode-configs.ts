import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** An entry of a config file that stands for thatch's plugin. */
export interface PluginEntry {
  /** As it is written there. */
  readonly specifier: string;
  readonly file: string;
  /** Where its path leads; null for a package that opencode installs by itself. */
  readonly target: {
    /** The module that opencode loads; null when there is none. */
    readonly module: string | null;
    readonly root: string | null;
    readonly version: string | null;
  } | null;
}

export interface OpencodeConfigs {
  /** The config files that exist. */
  readonly files: readonly string[];
  readonly faults: readonly { readonly file: string; readonly reason: string }[];
  readonly entries: readonly PluginEntry[];
  /** The file for every project, whether it exists or not. */
  readonly globalFile: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = ["opencode.jsonc", "opencode.json"];

/**
 * Reads the config files that an opencode started in `directory` would read (https://opencode.ai/docs/config): the user's, the one
 * that OPENCODE_CONFIG names, and those of the project's folders. Never throws.
 */
export function readOpencodeConfigs(environment: Environment, directory: string): OpencodeConfigs {
  const { HOME: home = "/", XDG_CONFIG_HOME: xdg, OPENCODE_CONFIG: named, OPENCODE_CONFIG_DIR: folder } = environment;
  const user = join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "opencode");
  const candidates = [
    ...["config.json", ...NAMES].map((name) => join(user, name)),
    ...(named ? [resolve(directory, named)] : []),
    ...projectFolders(directory).flatMap((at) =>
      NAMES.flatMap((name) => [join(at, name), join(at, ".opencode", name)]),
    ),
    ...(folder ? NAMES.map((name) => resolve(directory, folder, name)) : []),
  ];
  const files = [...new Set(candidates)].filter((file) => existsSync(file));
  const faults: { file: string; reason: string }[] = [];
  const entries: PluginEntry[] = [];
  for (const file of files) {
    try {
      for (const specifier of pluginSpecifiers(Bun.JSONC.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")))) {
        const entry = asThatch(specifier, file);
        if (entry !== null) entries.push(entry);
      }
    } catch (error) {
      faults.push({ file, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  const globalFile = files.find((file) => dirname(file) === user) ?? join(user, "opencode.json");
  return { files, faults, entries, globalFile };
}

/** The folder and those above it, up to the project's root. */
function projectFolders(directory: string): string[] {
  const folders: string[] = [];
  for (let at = resolve(directory); ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    // Outside of any project only the folder itself counts.
    if (dirname(at) === at) return folders.slice(0, 1);
  }
}

/** An entry is a specifier, or a pair of one and its options. */
function pluginSpecifiers(config: unknown): string[] {
  const plugins: unknown = isRecord(config) ? config.plugin : undefined;
  if (!Array.isArray(plugins)) return [];
  return plugins.flatMap((entry: unknown) => {
    const specifier: unknown = Array.isArray(entry) ? entry[0] : entry;
    return typeof specifier === "string" ? [specifier] : [];
  });
}

function asThatch(specifier: string, file: string): PluginEntry | null {
  if (/^thatch(@.*)?$/.test(specifier)) return { specifier, file, target: null };
  const path = specifier.startsWith("file://")
    ? fileURLToPath(specifier)
    : /^\.{0,2}\//.test(specifier)
      ? resolve(dirname(file), specifier)
      : null;
  if (path === null) return null;
  const stats = statSync(path, { throwIfNoEntry: false });
  // A path that leads nowhere can only be judged by its name.
  if (stats === undefined) {
    return /thatch/i.test(path) ? { specifier, file, target: { module: null, root: null, version: null } } : null;
  }
  const found = packageOf(stats.isDirectory() ? path : dirname(path));
  if (found === null || found.name !== "thatch") return null;
  const module = stats.isDirectory() ? join(path, found.main) : path;
  return {
    specifier,
    file,
    target: { module: existsSync(module) ? module : null, root: found.root, version: found.version },
  };
}

function packageOf(directory: string): { root: string; name: unknown; main: string; version: string | null } | null {
  for (let at = directory; ; at = dirname(at)) {
    const manifest = join(at, "package.json");
    if (existsSync(manifest)) {
      const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
      if (!isRecord(parsed)) return null;
      const { name, main, version } = parsed;
      return {
        root: at,
        name,
        main: typeof main === "string" ? main : "index.js",
        version: typeof version === "string" ? version : null,
      };
    }
    if (dirname(at) === at) return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
