import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The Claude Code that is installed next to this project. */
export const CLAUDE_BINARY = join(
  import.meta.dir,
  "..",
  "node_modules",
  "@anthropic-ai",
  "claude-code",
  "bin",
  "claude.exe",
);
const VERSION = "2.1.332";
/** No key of anybody: the model is a stand-in on this machine. */
const FAKE_KEY = "sk-ant-fake-local-key-of-the-test-bed";

/** Switches off everything that Claude Code does on its own towards the network. */
const QUIET_ENV = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
} as const;

export interface ClaudeHomeOptions {
  /** The model's base URL, which also says who asks, without the version. */
  readonly modelUrl: string;
  /** The project's .claude/settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The project's .mcp.json. */
  readonly mcp?: Readonly<Record<string, unknown>>;
  readonly databasePath?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One user's world for Claude Code, inside one temporary folder. */
export interface ClaudeHome {
  readonly root: string;
  /** A trusted project folder. */
  readonly directory: string;
  /** The whole environment: nothing of this process's own is inherited but PATH. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Makes a home in which Claude Code starts without questions, a login or any of this machine's settings. */
export async function makeClaudeHome(options: ClaudeHomeOptions): Promise<ClaudeHome> {
  const root = await mkdtemp(join(tmpdir(), "thatch-claude-"));
  const config = join(root, "config");
  const directory = join(root, "project");
  await mkdir(join(directory, ".claude"), { recursive: true });
  await mkdir(config);
  const project = {
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    allowedTools: [],
    projectOnboardingSeenCount: 4,
    enabledMcpjsonServers: ["thatch"],
  };
  const state = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: VERSION,
    theme: "dark",
    numStartups: 5,
    customApiKeyResponses: { approved: [FAKE_KEY.slice(-20)], rejected: [] },
    projects: { [directory]: project },
  };
  await Bun.write(join(config, ".claude.json"), JSON.stringify(state));
  if (options.settings) await Bun.write(join(directory, ".claude", "settings.json"), JSON.stringify(options.settings));
  if (options.mcp) await Bun.write(join(directory, ".mcp.json"), JSON.stringify(options.mcp));
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: root,
    TMPDIR: root,
    CLAUDE_CONFIG_DIR: config,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    ANTHROPIC_BASE_URL: options.modelUrl,
    ANTHROPIC_API_KEY: FAKE_KEY,
    ...QUIET_ENV,
    ...(options.databasePath === undefined ? {} : { THATCH_DB_PATH: options.databasePath }),
    ...options.env,
  };
  return { root, directory, env, remove: () => rm(root, { recursive: true, force: true }) };
}
