import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationId } from "../src/platform/conversation-id.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { promptLine } from "../src/text/conversation.ts";
import { mcpInstructions } from "../src/text/mcp.ts";
import { type Figure, milliseconds, quantile } from "./table.ts";

const ROUNDS = 40;
const WAKES = 30;
const ROOT = join(import.meta.dir, "..");
const HOOK = join(ROOT, "dist", "hook.js");
const CONVERSATION = "bench";
const PROMPT = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: CONVERSATION, cwd: ROOT });
const AFTER_TOOLS = JSON.stringify({ hook_event_name: "PostToolBatch", session_id: CONVERSATION, cwd: ROOT });

async function seed(file: string, sessions: number, messages: number): Promise<void> {
  const store = createSqliteStore({ file });
  await store.roster();
  store.close();
  const database = new Database(file);
  const session = database.query(
    `INSERT INTO chat_sessions (session_id, name, host, directory, registered_at, last_seen_at) VALUES (?, ?, 'claude-code', '/bench', ?, ?)`,
  );
  const message = database.query(
    `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at, read_at) VALUES ('s0', ?, x'61', 0, ?, ?)`,
  );
  database.transaction(() => {
    for (let n = 0; n < sessions; n++) session.run(`s${n}`, `name-${n}`, n, Date.now());
    for (let n = 0; n < messages; n++) message.run(`s${n % sessions}`, n, n % 1_000 === 0 ? null : n);
  })();
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function timed(command: readonly string[], file: string, input: string): number {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), THATCH_DB_PATH: file, XDG_STATE_HOME: `${file}-state` };
  const began = performance.now();
  const { success } = Bun.spawnSync([...command], { env, stdin: new TextEncoder().encode(input) });
  const took = performance.now() - began;
  if (!success) throw new Error(`${command.join(" ")} failed`);
  return took;
}

function hookFigures(small: string, large: string, empty: string): Figure[] {
  const hook = [process.execPath, HOOK, "claude-code"];
  const runs: readonly (readonly [readonly string[], string, string])[] = [
    [[process.execPath, empty], small, ""],
    [hook, small, PROMPT],
    [hook, small, AFTER_TOOLS],
    [hook, large, PROMPT],
  ];
  const times: number[][] = runs.map(() => []);
  for (let n = 0; n < ROUNDS; n++)
    runs.forEach(([command, file, input], index) => void times[index]?.push(timed(command, file, input)));
  const [floor = [], prompt = [], tools = [], largePrompt = []] = times;
  const against = (what: string, values: number[], base: number[], name: string, goal: number): Figure => {
    const ratio = quantile(values, 0.5) / quantile(base, 0.5);
    return {
      what,
      measured: `${milliseconds(values)}, ${ratio.toFixed(2)}x`,
      floor: `${milliseconds(base)}: ${name}`,
      goal: `median ≤ ${goal}x`,
      met: ratio <= goal,
    };
  };
  return [
    against("hook on a prompt, from start to exit", prompt, floor, "an empty Bun process", 2.2),
    against("hook after a batch of tools, no news", tools, floor, "an empty Bun process", 2.2),
    against(
      "hook on a prompt, 10,000 sessions and 1,000,000 messages",
      largePrompt,
      prompt,
      "10 sessions and 100 messages",
      1.1,
    ),
  ];
}

/** From its start to its answer to `initialize`, and the memory it then has. */
async function serverFigure(file: string): Promise<Figure[]> {
  const times: number[] = [];
  let memory = 0;
  for (let n = 0; n < 10; n++) {
    const began = performance.now();
    const child = Bun.spawn([process.execPath, join(ROOT, "dist", "mcp.js")], {
      env: { PATH: process.env.PATH, HOME: tmpdir(), THATCH_DB_PATH: file },
      stdin: "pipe",
      stdout: "pipe",
    });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    child.stdin.flush();
    await child.stdout.getReader().read();
    times.push(performance.now() - began);
    const pages = Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]);
    memory = Math.max(memory, (pages * 4096) / 1_000_000);
    child.kill();
    await child.exited;
  }
  return [
    {
      what: "thatch mcp: start to the answer to initialize",
      measured: milliseconds(times),
      floor: "-",
      goal: "median ≤ 120 ms",
      met: quantile(times, 0.5) <= 120,
    },
    {
      what: "thatch mcp: resident memory",
      measured: `${memory.toFixed(0)} MB`,
      floor: "-",
      goal: "≤ 80 MB",
      met: memory <= 80,
    },
  ];
}

/** From the return of a send to the moment the conversation's bell has changed. */
async function bellFigure(file: string): Promise<Figure> {
  const id = conversationId(CONVERSATION);
  const state = `${file}-state`;
  // This process stands for Claude Code: the parent of the hook and of the server.
  timed(
    [process.execPath, HOOK, "claude-code"],
    file,
    JSON.stringify({ hook_event_name: "SessionStart", source: "startup", session_id: CONVERSATION, cwd: ROOT }),
  );
  const server = Bun.spawn([process.execPath, join(ROOT, "dist", "mcp.js")], {
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      THATCH_DB_PATH: file,
      XDG_STATE_HOME: state,
      THATCH_CHAT_NUDGES_PER_HOUR: "1000",
    },
    stdin: "pipe",
    stdout: "ignore",
  });
  const store = createSqliteStore({ file });
  const bell = join(state, "thatch", "bells", `${id}.bell`);
  const changed = () => statSync(bell, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  await Bun.sleep(1000);
  const times: number[] = [];
  for (let n = 0; n < WAKES; n++) {
    const before = changed();
    await store.send({ senderId: "s1", recipientId: id, body: "x", replyTo: null, at: Date.now() });
    const sent = performance.now();
    while (changed() === before && performance.now() - sent < 5_000) await Bun.sleep(0);
    times.push(performance.now() - sent);
    // The turn that a wake starts, and its end.
    await store.setBusy(id, Date.now() + 1000);
    await Bun.sleep(300);
    await store.read(id, { messages: 9, bytes: 9999 }, Date.now());
    await store.setBusy(id, null);
    await Bun.sleep(100 + Math.random() * 50);
  }
  store.close();
  server.kill();
  await server.exited;
  return {
    what: "message committed → bell of an idle conversation touched",
    measured: milliseconds(times),
    floor: "0 ms",
    goal: "median ≤ 20 ms",
    met: quantile(times, 0.5) <= 20,
  };
}

function contextFigures(): Figure[] {
  const longest = "charlotte-1234";
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  const figure = (what: string, value: number, goal: number): Figure => ({
    what,
    measured: `${value} bytes`,
    floor: "0",
    goal: `≤ ${goal}`,
    met: value <= goal,
  });
  return [
    figure("instructions of the MCP server", bytes(mcpInstructions()), 1_800),
    figure("line on a prompt without mail", bytes(promptLine(longest, 0)), 60),
    figure("line on a prompt with mail", bytes(promptLine(longest, 1234)), 200),
  ];
}

/** What Claude Code's hooks and server cost. */
export async function claudeFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  try {
    const [small, large, empty] = [join(folder, "small.db"), join(folder, "large.db"), join(folder, "empty.js")];
    await seed(small, 10, 100);
    await seed(large, 10_000, 1_000_000);
    await Bun.write(empty, "");
    return [
      ...hookFigures(small, large, empty),
      ...(await serverFigure(small)),
      await bellFigure(small),
      ...contextFigures(),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
