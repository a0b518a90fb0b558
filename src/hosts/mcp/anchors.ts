import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../core/log.ts";
import { hostProcess, type ProcessIdentity, type RunningProcess } from "../../core/process.ts";
import type { ChatStore } from "../../core/store.ts";
import { conversationId } from "../../platform/conversation-id.ts";

export interface AnchorsOptions {
  readonly store: Pick<ChatStore, "anchored">;
  /** The ancestors of this server, from its parent upwards. */
  readonly ancestors: () => Iterable<RunningProcess>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The program of Claude Code, also as its installer names it. */
const CLAUDE = /(^|[/\\])claude(\.exe|-code)?$|[/\\]@anthropic-ai[/\\]claude-code/;
/** What runs it where it is a script. Behind any other program its name is an argument. */
const RUNTIME = /(^|[/\\])(node|bun)(\.exe)?$/;

/**
 * What tells, without the model, which conversation of Claude Code this server belongs to: what its hooks wrote of the very process
 * that started the server, then Claude Code's own file of that process, then the variable that the server was started with (which
 * is out of date after /clear).
 */
export class Anchors {
  #host: RunningProcess | null | undefined;

  constructor(private readonly options: AnchorsOptions) {}

  /** The id in the directory of the conversation that runs now; null outside of Claude Code. */
  async find(): Promise<string | null> {
    const host = this.#hostProcess();
    if (host === null) return null;
    const anchored = await this.options.store.anchored(host);
    if (anchored !== null) return anchored;
    if (!isClaude(host)) return null;
    const id = this.#sessionFile(host) ?? this.options.environment.CLAUDE_CODE_SESSION_ID;
    return id ? conversationId(id) : null;
  }

  /** It stays the same as long as the server runs: a server whose parent is gone ends. */
  #hostProcess(): RunningProcess | null {
    this.#host ??= hostProcess(this.options.ancestors());
    return this.#host;
  }

  #sessionFile(host: ProcessIdentity): string | null {
    const { CLAUDE_CONFIG_DIR: folder, HOME: home = "" } = this.options.environment;
    const file = join(folder || join(home, ".claude"), "sessions", `${host.pid}.json`);
    try {
      const stats = statSync(file, { throwIfNoEntry: false });
      // One that another user left there says nothing of our process.
      if (stats === undefined || stats.uid !== process.getuid?.()) return null;
      const record: unknown = JSON.parse(readFileSync(file, "utf8"));
      const id =
        typeof record === "object" && record !== null ? (record as Record<string, unknown>).sessionId : undefined;
      return typeof id === "string" && id !== "" ? id : null;
    } catch (error) {
      this.options.log("mcp", `${file} cannot be read; the next weaker sign counts`, error);
      return null;
    }
  }
}

function isClaude({ args: [program = "", script = ""] }: RunningProcess): boolean {
  return CLAUDE.test(program) || (RUNTIME.test(program) && CLAUDE.test(script));
}
