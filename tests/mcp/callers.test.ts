import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningProcess } from "../../src/core/process.ts";
import { Anchors } from "../../src/hosts/mcp/anchors.ts";
import { Callers } from "../../src/hosts/mcp/callers.ts";
import { conversationId } from "../../src/platform/conversation-id.ts";
import { newSession, testChat } from "../support/chat.ts";

const CLAUDE: RunningProcess = { pid: 4242, parentPid: 1, startedAt: "monday", args: ["claude"] };
const nothing = { claimed: null, meta: {} };
let bed: ReturnType<typeof testChat>;
beforeEach(() => {
  bed = testChat();
});
afterEach(() => bed.remove());

const logged: string[] = [];
const log = (scope: string, message: string) => void logged.push(`${scope}: ${message}`);

/** A server under these ancestors, with this environment. */
function server(ancestors: readonly RunningProcess[], environment: Record<string, string> = {}): Callers {
  const anchors = new Anchors({
    store: bed.chat.store,
    ancestors: () => ancestors,
    environment: { HOME: bed.folder, ...environment },
    log,
  });
  return new Callers({ chat: bed.chat, anchors, directory: "/projects/demo", log });
}

async function join_(sessionId: string, base: string, more: Parameters<typeof newSession>[1] = {}): Promise<string> {
  const outcome = await bed.chat.store.register(newSession(sessionId, more), {
    base,
    at: bed.clock.now(),
    tombstone: "respect",
  });
  if (outcome.kind === "left") throw new Error("left");
  return outcome.session.name;
}

function sessionFile(pid: number, content: string): void {
  mkdirSync(join(bed.folder, ".claude", "sessions"), { recursive: true });
  writeFileSync(join(bed.folder, ".claude", "sessions", `${pid}.json`), content);
}

const idOf = async (callers: Callers, call: Partial<Parameters<Callers["resolve"]>[0]> = {}) => {
  const caller = await callers.resolve({ ...nothing, ...call });
  return caller.kind === "session" ? caller.sessionId : `refused: ${caller.reason}`;
};

describe("a server of Claude Code", () => {
  test("speaks for the conversation that the hooks of its very process name, whatever weaker signs say", async () => {
    await bed.chat.store.anchor(CLAUDE, "mcp_hooked", 1);
    sessionFile(CLAUDE.pid, '{"sessionId": "from the file"}');
    const callers = server([CLAUDE], { CLAUDE_CODE_SESSION_ID: "from the environment" });
    expect(await idOf(callers)).toBe("mcp_hooked");
    // After a /clear the hooks name another one.
    await bed.chat.store.anchor(CLAUDE, "mcp_next", 2);
    expect(await idOf(callers)).toBe("mcp_next");
  });

  test("is not taken in by a process that had its pid before", async () => {
    await bed.chat.store.anchor({ ...CLAUDE, startedAt: "last week" }, "mcp_dead", 1);
    sessionFile(CLAUDE.pid, '{"sessionId": "now"}');
    expect(await idOf(server([CLAUDE]))).toBe(conversationId("now"));
  });

  test("without hooks goes by Claude Code's file of that process, then by the variable", async () => {
    const environment = { CLAUDE_CODE_SESSION_ID: "env" };
    expect(await idOf(server([CLAUDE], environment))).toBe(conversationId("env"));
    for (const broken of ["", "{", "[]", '{"sessionId": 5}', '{"sessionId": ""}']) {
      sessionFile(CLAUDE.pid, broken);
      expect(await idOf(server([CLAUDE], environment))).toBe(conversationId("env"));
    }
    sessionFile(CLAUDE.pid, '{"sessionId": "file"}');
    expect(await idOf(server([CLAUDE], environment))).toBe(conversationId("file"));
    const config = join(bed.folder, "elsewhere");
    mkdirSync(join(config, "sessions"), { recursive: true });
    writeFileSync(join(config, "sessions", `${CLAUDE.pid}.json`), '{"sessionId": "configured"}');
    expect(await idOf(server([CLAUDE], { ...environment, CLAUDE_CONFIG_DIR: config }))).toBe(
      conversationId("configured"),
    );
  });

  test("is found past npx and shells", async () => {
    await bed.chat.store.anchor(CLAUDE, "mcp_hooked", 1);
    const launcher = (args: string[]) => ({ ...CLAUDE, pid: 9, args });
    expect(await idOf(server([launcher(["sh", "-c", "x"]), launcher(["npx", "thatch"]), CLAUDE]))).toBe("mcp_hooked");
  });

  test("refuses every claim to be another, and takes the one that is true", async () => {
    const name = await join_("mcp_hooked", "ada", { host: "claude-code" });
    const other = await join_("ses_other", "brook");
    await bed.chat.store.anchor(CLAUDE, "mcp_hooked", 1);
    const callers = server([CLAUDE]);
    expect(await idOf(callers, { claimed: name.toUpperCase() })).toBe("mcp_hooked");
    expect(await idOf(callers, { claimed: other })).toBe(
      'refused: [refused] You claimed to be "brook", but you are ada: nothing was done. Leave `as` out.',
    );
    expect(await idOf(callers, { claimed: "nobody" })).toContain(
      'refused: [refused] You claimed to be "nobody", but you are ada',
    );
  });
});

test("a file that another user left says nothing of a process", async () => {
  sessionFile(CLAUDE.pid, '{"sessionId": "file"}');
  const { uid } = statSync(join(bed.folder, ".claude", "sessions", `${CLAUDE.pid}.json`));
  const user = spyOn(process, "getuid");
  try {
    for (const [id, said] of [
      [uid, "file"],
      [uid + 1, "env"],
    ] as const) {
      user.mockReturnValue(id);
      expect(await idOf(server([CLAUDE], { CLAUDE_CODE_SESSION_ID: "env" }))).toBe(conversationId(said));
    }
  } finally {
    user.mockRestore();
  }
});

describe("a server of another host", () => {
  const CODEX = { ...CLAUDE, pid: 5, args: ["codex"] };

  test.each([
    [["codex", "claude"]],
    [["codex", "/usr/bin/claude"]],
    [["claude-like"]],
    [["node", "/x/server.js", "claude"]],
  ])("is not taken for Claude Code: %p", async (args) => {
    sessionFile(CODEX.pid, '{"sessionId": "outer"}');
    const callers = server([{ ...CODEX, args }, CLAUDE], { CLAUDE_CODE_SESSION_ID: "outer" });
    expect(await idOf(callers)).not.toBe(conversationId("outer"));
    expect(await callers.current()).toMatchObject({ host: "mcp" });
  });

  test.each([
    [["claude", "-p"]],
    [["/opt/claude.exe"]],
    [["node", "/x/@anthropic-ai/claude-code/cli.js"]],
    [["bun", "/x/bin/claude"]],
  ])("is not what Claude Code is: %p", async (args) => {
    const callers = server([{ ...CODEX, args }], { CLAUDE_CODE_SESSION_ID: "this" });
    expect(await idOf(callers)).toBe(conversationId("this"));
  });

  test("beats for the conversation that its host states, until another is stated", async () => {
    const callers = server([CODEX]);
    const meta = (session_id: string) => ({ meta: { "x-codex-turn-metadata": { session_id } } });
    for (const id of ["one", "two"]) {
      await idOf(callers, meta(id));
      expect(await callers.current()).toEqual({ sessionId: conversationId(id), host: "mcp" });
    }
  });

  test("leaves a session that another host keeps what it is", async () => {
    await join_("ses_1", "ada");
    const callers = server([CODEX]);
    const caller = await callers.resolve({ ...nothing, meta: { "ai.opencode/sessionID": "ses_1" } });
    if (caller.kind === "refused") throw new Error(caller.reason);
    expect(await caller.describe()).toMatchObject({ sessionId: "ses_1", host: "opencode", hostMode: "tui" });
    expect(await callers.current()).toBeNull();
  });

  test("that runs inside a session of Claude Code is not that session, whatever its environment says", async () => {
    await bed.chat.store.anchor(CLAUDE, "mcp_outer", 1);
    const callers = server([CODEX, CLAUDE], { CLAUDE_CODE_SESSION_ID: "outer" });
    const id = await idOf(callers);
    expect(id).toMatch(/^mcp_[0-9a-f]{12}$/);
    expect([id === "mcp_outer", id === conversationId("outer")]).toEqual([false, false]);
    // One server, one conversation; another server is another.
    expect(await idOf(callers)).toBe(id);
    expect(await idOf(server([CODEX]))).not.toBe(id);
  });

  test("goes by what its host says with each call, and refuses a claim against it", async () => {
    const meta = { "x-codex-turn-metadata": { session_id: "codex session" } };
    expect(await idOf(server([CODEX]), { meta })).toBe(conversationId("codex session"));
    expect(await idOf(server([CODEX]), { meta: { "ai.opencode/sessionID": "ses_1" } })).toBe("ses_1");
    for (const odd of [
      { "x-codex-turn-metadata": "x" },
      { "x-codex-turn-metadata": { session_id: 5 } },
      { "ai.opencode/sessionID": "" },
    ]) {
      expect(await idOf(server([CODEX]), { meta: odd })).toMatch(/^mcp_[0-9a-f]{12}$/);
    }
    await join_("ses_other", "brook");
    expect(await idOf(server([CODEX]), { meta, claimed: "brook" })).toContain(
      'refused: [refused] You claimed to be "brook", but the host says',
    );
  });

  test("may claim the name of an ended conversation like its own, and no other", async () => {
    const ended = await join_("mcp_ended", "ada", { host: "mcp", hostMode: "closed" });
    const running = await join_("mcp_running", "brook", { host: "mcp", hostMode: "served" });
    const cursor = await join_("mcp_cursor", "cedar", { host: "cursor", hostMode: null });
    const opencode = await join_("ses_1", "dune");
    const claude = await join_("mcp_claude", "elm", { host: "claude-code", hostMode: null });
    expect(await idOf(server([CODEX]), { claimed: ended })).toBe("mcp_ended");
    expect(await bed.chat.store.find("mcp_ended")).toMatchObject({ name: ended, hostMode: "served" });
    // Now it runs, and is nobody else's.
    expect(await idOf(server([CODEX]), { claimed: ended })).toContain(
      "refused: [refused] ada is a session that runs now in another process",
    );
    expect(await idOf(server([CODEX]), { claimed: running })).toContain("runs now in another process");
    expect(await idOf(server([CODEX]), { claimed: cursor })).toBe("mcp_cursor");
    for (const name of [opencode, claude]) {
      expect(await idOf(server([CODEX]), { claimed: name })).toContain(
        `refused: [refused] ${name} is a session whose host says who it is`,
      );
    }
    expect(await idOf(server([CODEX]), { claimed: "nobody" })).toContain(
      'refused: [refused] No session is called "nobody"',
    );
    // One whose server was killed is free once it is stale.
    bed.clock.pass(120_000);
    expect(await idOf(server([CODEX]), { claimed: running })).toBe("mcp_running");
  });
});
