import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewSession, Session } from "../../src/core/session.ts";
import type { ChatStore } from "../../src/core/store.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { startTerminal, type Terminal } from "../../testbed/terminal.ts";

const ROOT = join(import.meta.dir, "..", "..");
export const THATCH = join(ROOT, "bin", "thatch");
export const DAY = 24 * 60 * 60 * 1000;

/** How a command ended. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A database of its own, a home of its own, and the real command line on them. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "thatch-cli-"));
  readonly database = join(this.folder, "data", "thatch.db");
  readonly home = join(this.folder, "home");
  readonly store: ChatStore = createSqliteStore({ file: this.database });
  readonly #terminals: Terminal[] = [];
  readonly #children: Bun.Subprocess[] = [];

  constructor() {
    mkdirSync(this.home);
  }

  /** Nothing of this machine's settings, and what a test adds. */
  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.home, THATCH_DB_PATH: this.database, ...more };
  }

  /** Adds a session that was last seen `ago` ms ago. */
  async join(sessionId: string, base: string, ago = 0, more: Partial<NewSession> = {}): Promise<Session> {
    const outcome = await this.store.register(
      {
        sessionId,
        host: "opencode",
        hostMode: "tui",
        topic: `work of ${base}`,
        project: "shop",
        directory: `/src/${sessionId}`,
        worktree: "root",
        ...more,
      },
      { base, at: Date.now() - ago, tombstone: "respect" },
    );
    if (outcome.kind === "left") throw new Error(`${sessionId} has a tombstone`);
    return outcome.session;
  }

  async send(senderId: string, recipientId: string, body: string, at = Date.now(), replyTo: number | null = null) {
    const outcome = await this.store.send({ senderId, recipientId, body, replyTo, at });
    if (outcome.kind !== "sent") throw new Error(outcome.kind);
    return outcome.message.id;
  }

  /** Runs a command to its end, with its output in pipes. */
  async run(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    directory = this.folder,
  ): Promise<Result> {
    const child = Bun.spawn([THATCH, ...args], {
      cwd: directory,
      env: this.env(more),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code, stdout, stderr };
  }

  /** Runs a line of sh, in which `$THATCH` stands for the command. */
  async shell(line: string): Promise<Result> {
    const child = Bun.spawn(["sh", "-c", line], {
      cwd: this.folder,
      env: this.env({ THATCH }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code, stdout, stderr };
  }

  /** Starts a command that goes on. */
  start(args: readonly string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
    const child = Bun.spawn([THATCH, ...args], {
      cwd: this.folder,
      env: this.env(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#children.push(child);
    return child;
  }

  /** Runs a command in a real terminal. */
  async terminal(
    args: readonly string[],
    columns: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Terminal> {
    const terminal = await startTerminal({
      command: [THATCH, ...args],
      directory: this.folder,
      env: this.env({ LANG: "C.UTF-8", ...more }),
      socketFolder: this.folder,
      columns,
    });
    this.#terminals.push(terminal);
    return terminal;
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const terminal of this.#terminals) await terminal.stop("SIGKILL");
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Keeps everybody else out of a database until it is disposed of. */
export class Lock implements Disposable {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = new Database(file);
    // In WAL mode readers would still get in.
    this.#database.run("PRAGMA journal_mode = DELETE");
    this.#database.run("BEGIN EXCLUSIVE");
  }

  isHeld(): boolean {
    return this.#database.inTransaction;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** The lines of a text, without the end of the last one. */
export function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
