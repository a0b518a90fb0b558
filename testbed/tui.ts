import { type Home, OPENCODE_BINARY } from "./home.ts";
import { end, isAlive } from "./process.ts";
import { until } from "./wait.ts";

/** A running opencode terminal. */
export interface Tui {
  readonly pid: number;
  /** What the terminal shows now, as plain text; its last picture once opencode has ended. */
  screen(): Promise<string>;
  /** Types text as a person would, without Enter. */
  type(text: string): Promise<void>;
  /** Presses one key by tmux's name for it: `Enter`, `Escape`, `C-c`. */
  key(name: string): Promise<void>;
  /** Waits until the screen matches and resolves to it. */
  waitForScreen(pattern: RegExp, timeoutMs?: number): Promise<string>;
  isRunning(): boolean;
  /** Waits until opencode has ended by itself. */
  exited(timeoutMs?: number): Promise<void>;
  /** Ends opencode, by SIGTERM unless told otherwise, and the private tmux server around it. */
  stop(signal?: "SIGTERM" | "SIGKILL" | "SIGHUP"): Promise<void>;
}

/** What a fresh opencode terminal shows once it takes input. */
const READY = /Ask anything|ctrl\+p|commands/i;

/** Starts opencode's terminal in a private tmux server and waits until it takes input. */
export async function startTui(
  home: Home,
  how: { directory?: string; args?: readonly string[]; columns?: number; rows?: number } = {},
): Promise<Tui> {
  const socket = `thatch-${crypto.randomUUID()}`;
  const env = { ...home.env, TMUX_TMPDIR: home.root, TERM: "xterm-256color", SHELL: "/bin/sh" };

  async function tmux(...args: string[]): Promise<string> {
    const child = Bun.spawn(["tmux", "-L", socket, "-f", "/dev/null", ...args], {
      cwd: home.root,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, stdout, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if (code !== 0) throw new Error(`tmux ${args.join(" ")} failed: ${stderr.trim()}`);
    return stdout;
  }

  const size = ["-x", String(how.columns ?? 140), "-y", String(how.rows ?? 45)];
  const command = ["exec", OPENCODE_BINARY, ...(how.args ?? [])].map((word) => Bun.$.escape(word)).join(" ");
  await tmux(
    ...["new-session", "-d", "-s", "bed", ...size, "-c", how.directory ?? home.directory, command],
    ...[";", "set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off"],
  );
  const pid = Number(await tmux("display-message", "-p", "-t", "bed", "#{pane_pid}"));

  const screen = () => tmux("capture-pane", "-p", "-t", "bed");
  const tui: Tui = {
    pid,
    screen,
    type: async (text) => void (await tmux("send-keys", "-t", "bed", "-l", "--", text)),
    key: async (name) => void (await tmux("send-keys", "-t", "bed", name)),
    waitForScreen: (pattern, timeoutMs) =>
      until(
        `the screen to show ${pattern}`,
        async () => {
          const seen = await screen();
          if (pattern.test(seen)) return seen;
          throw new Error(`screen of process ${pid}:\n${seen.replace(/\n+$/, "")}`);
        },
        timeoutMs,
      ),
    isRunning: () => isAlive(pid),
    exited: async (timeoutMs) => void (await until(`opencode ${pid} to end`, () => !isAlive(pid), timeoutMs)),
    async stop(signal = "SIGTERM") {
      await end(pid, signal);
      await tmux("kill-server");
    },
  };
  try {
    await tui.waitForScreen(READY, 30_000);
  } catch (error) {
    await tui.stop("SIGKILL");
    throw error;
  }
  return tui;
}
