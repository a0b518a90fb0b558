import { expect } from "bun:test";
import { join } from "node:path";
import { until } from "../../testbed/wait.ts";

export const THATCH = join(import.meta.dir, "..", "..", "bin", "thatch");
/** Starts a server as its own child, and passes what it gets through: a host that is no shell. */
const HOST = `
  const child = Bun.spawn([process.argv[1], "mcp"], { env: process.env, stdin: "inherit", stdout: "inherit", stderr: "inherit" });
  console.error(child.pid);
  process.exit(await child.exited);`;

export interface Answer {
  readonly id: number;
  readonly result?: Record<string, unknown> & {
    tools?: Record<string, unknown>[];
    content?: { type: string; text: string }[];
    isError?: boolean;
  };
  readonly error?: { code: number; message: string };
}

/** A client of a server of its own. */
export class Client {
  readonly lines: string[] = [];
  stderr = "";
  readonly child;
  #id = 0;

  /** `folder` is its home and where it works; `before` is put before its command. */
  constructor(folder: string, env: Readonly<Record<string, string>> = {}, before: readonly string[] = []) {
    this.child = Bun.spawn([...before, process.execPath, "-e", HOST, THATCH], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", HOME: folder, ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    void this.#collect(this.child.stdout, (text) => {
      this.#rest += text;
      const parts = this.#rest.split("\n");
      this.#rest = parts.pop() ?? "";
      this.lines.push(...parts);
    });
    void this.#collect(this.child.stderr, (text) => {
      this.stderr += text;
    });
  }

  #rest = "";
  async #collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  }

  get serverPid(): number {
    return Number(this.stderr.split("\n")[0]);
  }

  notify(method: string, params: object = {}): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
    this.child.stdin.flush();
  }

  async ask(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#id;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    this.child.stdin.flush();
    return until(`the answer to ${method}`, () =>
      this.lines.map((line): Answer => JSON.parse(line)).find((answer) => answer.id === id),
    );
  }

  async initialize(): Promise<Answer> {
    const clientInfo = { name: "test", version: "1" };
    const answer = await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.notify("notifications/initialized");
    return answer;
  }

  /** The text of a tool's answer. */
  async call(verb: string, args: object = {}, meta?: object): Promise<string> {
    const params = { name: `chat_${verb}`, arguments: args, ...(meta ? { _meta: meta } : {}) };
    const { result, error } = await this.ask("tools/call", params);
    if (error) return `error ${error.message}`;
    expect(Object.keys(result ?? {})).not.toContain("structuredContent");
    const text = (result?.content ?? []).map((part) => part.text).join("");
    return result?.isError ? `failed: ${text}` : text;
  }
}
