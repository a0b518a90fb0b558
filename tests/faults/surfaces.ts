import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOOK, type HookEnd } from "../hook/stage.ts";
import { Client, THATCH } from "../mcp/client.ts";
import { type Child, startChild } from "../store/child/start.ts";

/** A database, and what is put before every command that is to use it. */
export interface Place {
  readonly file: string;
  readonly before: readonly string[];
}

/** What all surfaces said in one round. */
export interface Round {
  /** How long a prompt of opencode's user was held up, in ms. */
  readonly promptMs: number;
  /** The answers of status, send and read, in opencode and of an MCP server; an error begins with `failed: `. */
  readonly tools: Readonly<Record<`${"opencode" | "mcp"} ${"status" | "send" | "read"}`, string>>;
  /** What the hooks of one turn of Claude Code came to. */
  readonly hooks: readonly HookEnd[];
  /** `chat list`, `chat tail --no-follow` and `doctor`. */
  readonly cli: readonly HookEnd[];
}

const HOOK_EVENTS = ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop", "SessionEnd"];
const COMMANDS = [["chat", "list"], ["chat", "tail", "--no-follow"], ["doctor"]];

/** Every surface of thatch on one database: opencode's plugin and an MCP server that keep running, hooks and commands that come and go. */
export class Surfaces {
  readonly home: string;
  readonly #opencode: Child;
  readonly #mcp: Client;

  private constructor(private readonly place: Place) {
    this.home = mkdtempSync(join(tmpdir(), "thatch-faults-"));
    mkdirSync(join(this.home, "project"));
    this.#opencode = startChild("../../faults/child/opencode.ts", [place.file], place.before);
    this.#mcp = new Client(this.home, { THATCH_DB_PATH: place.file }, place.before);
  }

  static async open(place: Place): Promise<Surfaces> {
    const surfaces = new Surfaces(place);
    await surfaces.#opencode.line();
    await surfaces.#mcp.initialize();
    return surfaces;
  }

  /** Uses every surface once, all at the same time. */
  async use(): Promise<Round> {
    const [played, mcp, hooks, cli] = await Promise.all([
      this.#play(),
      this.#callTools(),
      inTurn(HOOK_EVENTS, (event) => this.#hook(event)),
      inTurn(COMMANDS, (command) => this.#run([THATCH, ...command], "")),
    ]);
    const { promptMs, said } = played;
    const opencode = { "opencode status": said.status, "opencode send": said.send, "opencode read": said.read };
    return { promptMs, tools: { ...opencode, ...mcp }, hooks, cli };
  }

  async #play(): Promise<{ promptMs: number; said: Record<"status" | "send" | "read", string> }> {
    this.#opencode.say("go");
    return JSON.parse(await this.#opencode.line());
  }

  async #callTools() {
    return {
      "mcp status": await this.#mcp.call("register"),
      "mcp send": await this.#mcp.call("send", { to: "brook", body: "hello" }),
      "mcp read": await this.#mcp.call("read"),
    };
  }

  #hook(event: string): Promise<HookEnd> {
    const cwd = join(this.home, "project");
    const payload = { hook_event_name: event, session_id: "claude", cwd, source: "startup", reason: "other" };
    return this.#run([process.execPath, HOOK, "claude-code"], JSON.stringify(payload));
  }

  async #run(command: readonly string[], input: string): Promise<HookEnd> {
    const { file, before } = this.place;
    const child = Bun.spawn([...before, ...command], {
      cwd: this.home,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.home, THATCH_DB_PATH: file },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code, stdout, stderr };
  }

  async close(): Promise<void> {
    this.#opencode.go();
    this.#mcp.child.stdin.end();
    await Promise.all([this.#opencode.exited, this.#mcp.child.exited]);
    rmSync(this.home, { recursive: true, force: true });
  }
}

async function inTurn<T>(items: readonly T[], run: (item: T) => Promise<HookEnd>): Promise<HookEnd[]> {
  const ends: HookEnd[] = [];
  for (const item of items) ends.push(await run(item));
  return ends;
}
