import { CLAUDE_BINARY, type ClaudeHome } from "./claude-home.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** What Claude Code's terminal shows once it takes input. */
const READY = /❯|\? for shortcuts/;

/** Starts Claude Code's terminal in a private tmux server and waits until it takes input. */
export async function startClaudeTui(home: ClaudeHome, args: readonly string[] = []): Promise<Terminal> {
  const tui = await startTerminal({
    command: [CLAUDE_BINARY, "--allowedTools", "mcp__thatch__*", ...args],
    directory: home.directory,
    env: home.env,
    socketFolder: home.root,
    columns: 180,
    rows: 50,
  });
  try {
    await tui.waitForScreen(READY, 30_000);
  } catch (error) {
    await tui.stop("SIGKILL");
    throw error;
  }
  return tui;
}
