import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChatStore } from "../../src/core/store.ts";
import { conversationId } from "../../src/platform/conversation-id.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";

const HOOK = join(import.meta.dir, "..", "..", "dist", "hook.js");

export interface HookEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a hook that has nothing to say comes to. */
export const SILENCE: HookEnd = { code: 0, stdout: "", stderr: "" };

/** A stand-in for a Claude Code process: it starts hooks as its own children, as Claude Code does. */
const CLAUDE = `
  const [hook] = process.argv.slice(1);
  for await (const line of console) {
    const { input, env } = JSON.parse(line);
    const child = Bun.spawn([process.execPath, hook, "claude-code"], { env, stdin: new TextEncoder().encode(input), stdout: "pipe", stderr: "pipe" });
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    console.log(JSON.stringify({ code, stdout, stderr }));
  }`;

/** One running Claude Code, as far as its hooks can tell. */
export class FakeClaude {
  readonly #child;
  readonly #lines: AsyncIterator<string>;

  constructor(private readonly stage: HookStage) {
    this.#child = Bun.spawn([process.execPath, "-e", CLAUDE, HOOK], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#lines = linesOf(this.#child.stdout);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Fires an event of a conversation and resolves to what its hook came to. */
  async fire(event: string, session: string, more: Readonly<Record<string, unknown>> = {}, env = {}): Promise<HookEnd> {
    const { cwd } = this.stage;
    const payload = {
      hook_event_name: event,
      session_id: session,
      cwd,
      transcript_path: this.stage.transcript(session),
      ...more,
    };
    this.#child.stdin.write(
      `${JSON.stringify({ input: JSON.stringify(payload), env: { ...this.stage.env, ...env } })}\n`,
    );
    this.#child.stdin.flush();
    const { value } = await this.#lines.next();
    return JSON.parse(String(value));
  }

  /** The text that an event's hook gives the model. */
  async says(event: string, session: string, more: Readonly<Record<string, unknown>> = {}): Promise<string | null> {
    const { code, stdout, stderr } = await this.fire(event, session, more);
    if (code !== 0 || stderr !== "") throw new Error(`${event} ended with ${code}: ${stderr}`);
    if (stdout === "") return null;
    const { hookSpecificOutput }: { hookSpecificOutput: { hookEventName: string; additionalContext?: string } } =
      JSON.parse(stdout);
    if (hookSpecificOutput.hookEventName !== event)
      throw new Error(`${event} answered for ${hookSpecificOutput.hookEventName}`);
    return hookSpecificOutput.additionalContext ?? null;
  }

  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 1);
    }
  }
}

/** A home, a project and a database for hooks. */
export class HookStage {
  readonly folder = mkdtempSync(join(tmpdir(), "thatch-hook-"));
  readonly cwd = join(this.folder, "project");
  readonly transcripts = join(this.folder, "transcripts");
  readonly database = join(this.folder, "data", "thatch.db");
  readonly env: Record<string, string> = {
    PATH: "/usr/bin:/bin",
    HOME: this.folder,
    THATCH_DB_PATH: this.database,
    THATCH_DEBUG: join(this.folder, "debug.log"),
  };
  readonly store: ChatStore = createSqliteStore({ file: this.database });
  readonly #claudes: FakeClaude[] = [];

  constructor() {
    for (const folder of [this.cwd, this.transcripts]) mkdirSync(folder);
  }

  claude(): FakeClaude {
    const claude = new FakeClaude(this);
    this.#claudes.push(claude);
    return claude;
  }

  transcript(session: string): string {
    return join(this.transcripts, `${session}.jsonl`);
  }

  row(session: string) {
    return this.store.find(conversationId(session));
  }

  /** Stores a message for a conversation from a session called otter. */
  async mail(session: string, body = "hello"): Promise<void> {
    const other = {
      sessionId: "other",
      host: "opencode",
      hostMode: "tui",
      topic: null,
      project: null,
      directory: "/",
      worktree: null,
    } as const;
    await this.store.register(other, { base: "otter", at: Date.now(), tombstone: "respect" });
    const recipientId = conversationId(session);
    const outcome = await this.store.send({ senderId: "other", recipientId, body, replyTo: null, at: Date.now() });
    if (outcome.kind !== "sent") throw new Error(outcome.kind);
  }

  async close(): Promise<void> {
    for (const claude of this.#claudes) await claude.end();
    this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a hook with any input and environment. */
export async function runHook(
  input: string | Uint8Array,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<HookEnd> {
  const child = Bun.spawn([process.execPath, HOOK, ...(args.length === 0 ? ["claude-code"] : args)], {
    env: { ...env },
    stdin: typeof input === "string" ? new TextEncoder().encode(input) : input,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

export { HOOK };
