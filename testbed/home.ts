import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The version every seeded config folder claims, so that opencode finds nothing to install at its start. */
const PLUGIN_PACKAGE_VERSION = "1.18.33";

/** The opencode that is installed next to this project. */
export const OPENCODE_BINARY = join(import.meta.dir, "..", "node_modules", ".bin", "opencode");

/** Switches off everything that opencode does on its own towards the network or this machine's other programs. */
const QUIET_ENV = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_SHARE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_CLAUDE_CODE: "1",
} as const;

/** What makes one home differ from another. */
export interface HomeOptions {
  /** The model's base URL, which also says who asks. */
  readonly modelUrl: string;
  /** Entries of opencode's plugin list: a spec such as `file:///path/plugin.ts`, or a spec with options. */
  readonly plugins?: readonly (string | readonly [string, Readonly<Record<string, unknown>>])[];
  /** Merged over the default `opencode.json`, key by key at the top level. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The database that the sessions of several homes share. */
  readonly databasePath?: string;
  /** Merged over the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One user's world for opencode: settings, data, environment and a project folder, all inside one temporary folder. */
export interface Home {
  readonly root: string;
  /** A project folder, empty and outside any git checkout. */
  readonly directory: string;
  /** The whole environment: nothing of this process's own is inherited but PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes another folder in this home; with `git` it is a repository of its own. */
  makeDirectory(name: string, how?: { git?: boolean }): Promise<string>;
  /** Deletes the folder with all that is in it. Stop the processes first. */
  remove(): Promise<void>;
}

/** Makes a home. opencode starts in it without an install step, and without any of this machine's settings. */
export async function makeHome(options: HomeOptions): Promise<Home> {
  const root = await mkdtemp(join(tmpdir(), "thatch-bed-"));
  const xdg = {
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_DATA_HOME: join(root, "data"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  const directory = join(root, "project");
  for (const folder of [directory, ...Object.values(xdg)]) await mkdir(folder, { recursive: true });
  await seedConfig(join(xdg.XDG_CONFIG_HOME, "opencode"), options);

  async function makeDirectory(name: string, how: { git?: boolean } = {}): Promise<string> {
    const folder = join(root, name);
    await mkdir(folder, { recursive: true });
    if (how.git) await initRepository(folder, env);
    return folder;
  }

  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: root,
    TMPDIR: root,
    LANG: "C.UTF-8",
    ...xdg,
    ...QUIET_ENV,
    ...(options.databasePath === undefined ? {} : { THATCH_DB_PATH: options.databasePath }),
    ...options.env,
  };
  return { root, directory, env, makeDirectory, remove: () => rm(root, { recursive: true, force: true }) };
}

async function seedConfig(folder: string, options: HomeOptions): Promise<void> {
  const dependencies = { "@opencode-ai/plugin": PLUGIN_PACKAGE_VERSION };
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await Bun.write(join(folder, "package.json"), JSON.stringify({ dependencies }));
  await Bun.write(
    join(folder, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, packages: { "": { dependencies } } }),
  );
  await Bun.write(join(folder, "opencode.json"), JSON.stringify(configOf(options), null, 2));
}

function configOf(options: HomeOptions): Record<string, unknown> {
  const scripted = { name: "Scripted", tool_call: true, limit: { context: 200_000, output: 8192 } };
  return {
    autoupdate: false,
    share: "disabled",
    model: "fake/scripted",
    small_model: "fake/scripted",
    enabled_providers: ["fake"],
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        name: "Fake",
        options: { baseURL: options.modelUrl, apiKey: "not-a-key" },
        models: { scripted, other: { ...scripted, name: "Other" } },
      },
    },
    permission: { "*": "allow" },
    plugin: options.plugins ?? [],
    ...options.config,
  };
}

async function initRepository(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
  for (const args of [
    ["init", "-q"],
    [...who, "commit", "-q", "--allow-empty", "-m", "start"],
  ]) {
    const git = Bun.spawn(["git", ...args], { cwd: folder, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
    if ((await git.exited) !== 0) {
      throw new Error(`git ${args.join(" ")} failed in ${folder}: ${await new Response(git.stderr).text()}`);
    }
  }
}
