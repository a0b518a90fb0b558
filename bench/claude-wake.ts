import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { makeClaudeHome } from "../testbed/claude-home.ts";
import { startClaudeTui } from "../testbed/claude-tui.ts";
import { startModel } from "../testbed/model.ts";
import { call, type Script } from "../testbed/script.ts";
import { until } from "../testbed/wait.ts";
import { type Figure, milliseconds, quantile, wallClock } from "./table.ts";

const WAKES = 10;
const THATCH = join(import.meta.dir, "..", "bin", "thatch");
const READ = "mcp__thatch__chat_read";

/** Reads its mail whenever it is told of some, and ends its turn. */
const reader: Script = (request) => {
  const last = request.messages.at(-1);
  return last?.role === "user" && request.lastUserText.includes("[thatch] You have") ? call(READ) : { text: "Done." };
};

/** From a message for a conversation that is idle in the real terminal to its bell, and to the request at its model. */
export async function claudeWakeFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  const file = join(folder, "thatch.db");
  const model = await startModel();
  model.script("claude", reader);
  const home = await makeClaudeHome({
    modelUrl: model.url("claude").replace(/\/v1$/, ""),
    databasePath: file,
    env: { THATCH_CHAT_NUDGES_PER_HOUR: "1000" },
  });
  const setup = Bun.spawnSync([THATCH, "setup", "claude-code"], { cwd: home.directory, env: { ...home.env } });
  if (!setup.success) throw new Error(`thatch setup claude-code failed: ${setup.stderr.toString()}`);
  const tui = await startClaudeTui(home);
  const store = createSqliteStore({ file });
  try {
    await tui.type("hello");
    await tui.waitForScreen(/hello/);
    await tui.key("Enter");
    const conversation = () => store.roster().then((rows) => rows.find(({ host }) => host === "claude-code"));
    const idle = () =>
      until("an idle conversation", async () => {
        const row = await conversation();
        return row?.hostMode === "served" && row.busyUntil === null && row;
      });
    await until("the first turn", () => model.turns("claude").length > 0);
    const { sessionId } = await idle();
    const other = {
      sessionId: "other",
      host: "opencode",
      hostMode: "tui",
      topic: null,
      project: null,
      directory: "/",
      worktree: null,
    } as const;
    await store.register(other, { base: "ada", at: Date.now(), tombstone: "respect" });
    const bell = join(home.root, ".local", "state", "thatch", "bells", `${sessionId}.bell`);
    const rung = () => statSync(bell, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const bells: number[] = [];
    const requests: number[] = [];
    for (let n = 0; n < WAKES; n++) {
      await idle();
      await Bun.sleep(500);
      const [before, asked] = [rung(), model.turns("claude").length];
      await store.send({ senderId: "other", recipientId: sessionId, body: String(n), replyTo: null, at: Date.now() });
      const sent = wallClock();
      await until("the bell", () => rung() !== before);
      bells.push(wallClock() - sent);
      const request = await until("the request", () => model.turns("claude")[asked]);
      requests.push(request.at - sent);
      await until("the mail to be read", async () => (await store.count(sessionId)).unread === 0);
    }
    const own = quantile(bells, 0.5);
    return [
      {
        what: "message stored → request at the model of an idle Claude Code terminal",
        measured: `${milliseconds(requests)}, of which ${own.toFixed(1)} ms until its bell`,
        floor: "the rest is Claude Code's own, and two hooks",
        goal: "median < 1,500 ms, ≤ 50 ms until the bell",
        met: quantile(requests, 0.5) < 1_500 && own <= 50,
      },
    ];
  } finally {
    store.close();
    await tui.stop();
    await home.remove();
    await model.stop();
    rmSync(folder, { recursive: true });
  }
}
