import { type Home, OPENCODE_BINARY } from "./home.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

/** A running opencode terminal. */
export type Tui = Terminal;

/** What a fresh opencode terminal shows once it takes input. */
const READY = /Ask anything|ctrl\+p|commands/i;

/** Starts opencode's terminal in a private tmux server and waits until it takes input. */
export async function startTui(
  home: Home,
  how: { directory?: string; args?: readonly string[]; columns?: number; rows?: number } = {},
): Promise<Tui> {
  const { directory = home.directory, args = [], ...size } = how;
  const tui = await startTerminal({
    command: [OPENCODE_BINARY, ...args],
    directory,
    env: home.env,
    socketFolder: home.root,
    ...size,
  });
  try {
    await tui.waitForScreen(READY, 30_000);
  } catch (error) {
    await tui.stop("SIGKILL");
    throw error;
  }
  return tui;
}
