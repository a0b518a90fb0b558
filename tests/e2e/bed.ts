import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ClaudeHome, makeClaudeHome } from "../../testbed/claude-home.ts";
import { type ClaudeStream, startClaudeStream } from "../../testbed/claude-stream.ts";
import { startClaudeTui } from "../../testbed/claude-tui.ts";
import { type Home, type HomeOptions, makeHome } from "../../testbed/home.ts";
import { type Model, type ModelRequest, startModel } from "../../testbed/model.ts";
import { type Serve, startServe } from "../../testbed/serve.ts";
import type { Terminal } from "../../testbed/terminal.ts";
import { until } from "../../testbed/wait.ts";

/** The project itself, loaded as a plugin the way a person would from a checkout. */
export const PLUGIN = pathToFileURL(join(import.meta.dir, "..", "..")).href;

export const THATCH = join(import.meta.dir, "..", "..", "bin", "thatch");

/** A row of the directory or the log, as SQLite gives it. */
type Row = Record<string, string | number | null>;

/** A scripted model, one shared database, and any number of real opencode processes with homes of their own. */
export class Bed {
  readonly #closers: (() => Promise<void>)[] = [];

  private constructor(
    readonly model: Model,
    readonly folder: string,
  ) {}

  static async open(): Promise<Bed> {
    return new Bed(await startModel(), await mkdtemp(join(tmpdir(), "thatch-e2e-")));
  }

  get databasePath(): string {
    return join(this.folder, "thatch.db");
  }

  /** A home whose model requests are known as `who`, with thatch as a plugin. */
  async home(who: string, more: Partial<HomeOptions> = {}): Promise<Home> {
    const home = await makeHome({
      modelUrl: this.model.url(who),
      plugins: [PLUGIN],
      databasePath: this.databasePath,
      ...more,
      env: { THATCH_DEBUG: this.debugFile(who), ...more.env },
    });
    this.#closers.push(() => home.remove());
    return home;
  }

  /** A home of Claude Code whose model requests are known as `who`, set up by thatch's own set-up. */
  async claudeHome(who: string): Promise<ClaudeHome> {
    const home = await this.bareClaudeHome(who);
    const setup = Bun.spawn([THATCH, "setup", "claude-code"], { cwd: home.directory, env: home.env, stderr: "pipe" });
    if ((await setup.exited) !== 0) throw new Error(`thatch setup claude-code failed: ${await setup.stderr.text()}`);
    return home;
  }

  /** A home of Claude Code without thatch. */
  async bareClaudeHome(who: string): Promise<ClaudeHome> {
    const home = await makeClaudeHome({
      modelUrl: this.model.url(who).replace(/\/v1$/, ""),
      databasePath: this.databasePath,
      env: { THATCH_DEBUG: this.debugFile(who) },
    });
    this.#closers.push(() => home.remove());
    return home;
  }

  claude(home: ClaudeHome, args: readonly string[] = []): ClaudeStream {
    const claude = startClaudeStream(home, args);
    this.onClose(() => claude.stop());
    return claude;
  }

  async claudeTui(home: ClaudeHome, args: readonly string[] = []): Promise<Terminal> {
    const tui = await startClaudeTui(home, args);
    this.onClose(() => tui.stop());
    return tui;
  }

  /** The rows of Claude Code's conversations, oldest first. */
  conversations(): Row[] {
    return this.rows("SELECT * FROM chat_sessions WHERE host = 'claude-code' ORDER BY registered_at");
  }

  debugFile(who: string): string {
    return join(this.folder, `${who}.log`);
  }

  /** What thatch wrote into the debug log of `who`'s processes. */
  async debugLog(who: string): Promise<string> {
    const file = Bun.file(this.debugFile(who));
    return (await file.exists()) ? file.text() : "";
  }

  async serve(home: Home, how: { directory?: string } = {}): Promise<Serve> {
    const serve = await startServe(home, how);
    this.onClose(() => serve.stop());
    return serve;
  }

  /** Runs before everything that was opened earlier is closed. */
  onClose(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  /** Rows of the shared database; none while it does not exist. */
  rows(sql: string, ...bindings: (string | number)[]): Row[] {
    let database: Database;
    try {
      database = new Database(this.databasePath, { readonly: true });
    } catch (error) {
      if (String(error).includes("unable to open")) return [];
      throw error;
    }
    try {
      return database.query<Row, (string | number)[]>(sql).all(...bindings);
    } catch (error) {
      if (String(error).includes("no such table")) return [];
      throw error;
    } finally {
      database.close();
    }
  }

  /** Changes the shared database behind everybody's back. */
  write(sql: string, ...bindings: (string | number)[]): void {
    const database = new Database(this.databasePath, { readwrite: true });
    try {
      database.run("PRAGMA busy_timeout = 2000");
      database.run(sql, bindings);
    } finally {
      database.close();
    }
  }

  /** The name a session is registered under; waits until it has one. */
  async nameOf(sessionId: string): Promise<string> {
    const row = await until(`${sessionId} to be registered`, () => this.session(sessionId));
    return String(row.name);
  }

  session(sessionId: string): Row | undefined {
    return this.rows("SELECT * FROM chat_sessions WHERE session_id = ?", sessionId)[0];
  }

  messages(): Row[] {
    return this.rows("SELECT *, CAST(body AS TEXT) AS body FROM chat_messages ORDER BY id");
  }

  /** Stores a message for a session as another process would, from a session that is not in the directory. */
  mail(recipientId: string, body: string): void {
    this.write(
      "INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at) VALUES ('ses_gone', ?, CAST(? AS BLOB), 0, ?)",
      ...[recipientId, body, Date.now()],
    );
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const closer of this.#closers.reverse()) await closer().catch((error) => failures.push(error));
    await this.model.stop();
    await rm(this.folder, { recursive: true, force: true });
    failures.push(...this.model.takeFaults());
    if (failures.length > 0)
      throw new AggregateError(failures, `closing the bed failed: ${failures.map(String).join("; ")}`);
  }
}

/** A session in a server, registered by its first prompt. */
export interface Joined {
  readonly id: string;
  readonly name: string;
}

/** Makes a session and gives it its first prompt, which the model answers by its script. */
export async function joinSession(bed: Bed, serve: Serve, prompt = "hello"): Promise<Joined> {
  const { id } = await serve.client.createSession();
  await serve.client.prompt(id, prompt);
  const name = await bed.nameOf(id);
  await until(`${id} to be idle`, () => serve.client.isIdle(id));
  return { id, name };
}

/** Whether a request was started by a wake. */
export function isWake(request: ModelRequest): boolean {
  return request.messages.at(-1)?.role === "user" && request.lastUserText.startsWith("[thatch] You have");
}

/** The number of wakes a model got. */
export function wakesOf(bed: Bed, who: string): number {
  return bed.model.turns(who).filter(isWake).length;
}
