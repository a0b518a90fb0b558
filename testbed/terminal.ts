import { end, isAlive } from "./process.ts";
import { until } from "./wait.ts";

/** A program in a real terminal: a pane of a tmux server of its own. */
export interface Terminal {
  readonly pid: number;
  /** What the terminal shows now, as plain text; its last picture once the program has ended. */
  screen(): Promise<string>;
  /** The same with the escape sequences of its colours. */
  paintedScreen(): Promise<string>;
  /** Types text as a person would, without Enter. */
  type(text: string): Promise<void>;
  /** Presses one key by tmux's name for it: `Enter`, `Escape`, `C-c`. */
  key(name: string): Promise<void>;
  /** Waits until the screen matches and resolves to it. */
  waitForScreen(pattern: RegExp, timeoutMs?: number): Promise<string>;
  isRunning(): boolean;
  /** Waits until the program has ended by itself. */
  exited(timeoutMs?: number): Promise<void>;
  /** The exit code of a program that has ended. */
  exitCode(): Promise<number>;
  /** Ends the program, by SIGTERM unless told otherwise, and the tmux server around it. */
  stop(signal?: "SIGTERM" | "SIGKILL" | "SIGHUP"): Promise<void>;
}

export interface TerminalOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly directory: string;
  /** The whole environment; TERM and SHELL are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Where tmux keeps its socket. */
  readonly socketFolder: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** Starts a program in a terminal of 140 x 45 unless told otherwise. */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const socket = `thatch-${crypto.randomUUID()}`;
  const env = { ...options.env, TMUX_TMPDIR: options.socketFolder, TERM: "xterm-256color", SHELL: "/bin/sh" };

  async function tmux(...args: string[]): Promise<string> {
    const child = Bun.spawn(["tmux", "-L", socket, "-f", "/dev/null", ...args], {
      cwd: options.directory,
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

  const size = ["-x", String(options.columns ?? 140), "-y", String(options.rows ?? 45)];
  const command = ["exec", ...options.command].map((word) => Bun.$.escape(word)).join(" ");
  await tmux(
    ...["new-session", "-d", "-s", "bed", ...size, "-c", options.directory, command],
    // Without its format tmux would write into the last picture that the program has ended.
    ...[
      ";",
      "set-option",
      "-g",
      "remain-on-exit",
      "on",
      ";",
      "set-option",
      "-g",
      "remain-on-exit-format",
      "",
      ";",
      "set-option",
      "-g",
      "status",
      "off",
    ],
  );
  const pid = Number(await tmux("display-message", "-p", "-t", "bed", "#{pane_pid}"));
  const screen = () => tmux("capture-pane", "-p", "-t", "bed");
  return {
    pid,
    screen,
    paintedScreen: () => tmux("capture-pane", "-p", "-e", "-t", "bed"),
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
    exited: async (timeoutMs) => void (await until(`process ${pid} to end`, () => !isAlive(pid), timeoutMs)),
    exitCode: async () => Number(await tmux("display-message", "-p", "-t", "bed", "#{pane_dead_status}")),
    async stop(signal = "SIGTERM") {
      await end(pid, signal);
      await tmux("kill-server");
    },
  };
}
