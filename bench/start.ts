import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPENCODE_BINARY } from "../testbed/home.ts";
import { type Figure, milliseconds, quantile } from "./table.ts";

const STARTS = 15;

/**
 * Runs in a fresh process of the Bun inside opencode: loads the plugin and starts it, then hands it messages of a user. Node's
 * modules are loaded before, as opencode has them loaded.
 */
const PROGRAM = `
  import "node:fs"; import "node:path"; import "node:os"; import "bun:sqlite"; import "node:fs/promises";
  const [entry] = process.argv.slice(-1);
  const began = performance.now();
  const { default: plugin } = await import(entry);
  const session = { get: async ({ path }) => ({ data: { id: path.id, title: "Bench", directory: "/bench" }, response: { status: 200 } }) };
  const input = { client: { session, app: {}, tui: {} }, directory: "/bench", worktree: "/", project: { id: "p", worktree: "/" } };
  const hooks = await plugin.server(input);
  const start = performance.now() - began;
  const messages = [];
  for (let n = 0; n < 200; n++) {
    const message = { id: "msg_" + n, role: "user", agent: "build", model: { providerID: "p", modelID: "m" } };
    const at = performance.now();
    await hooks["chat.message"]?.({ sessionID: "ses_bench" }, { message, parts: [{ type: "text", text: "hello" }] });
    messages.push(performance.now() - at);
  }
  console.log(JSON.stringify({ start, messages }));
  process.exit(0);
`;

function startOnce(entry: string, folder: string): { start: number; messages: number[] } {
  const { stdout, stderr, success } = Bun.spawnSync([OPENCODE_BINARY, "-e", PROGRAM, entry], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      BUN_BE_BUN: "1",
      THATCH_DB_PATH: join(folder, "thatch.db"),
    },
  });
  if (!success) throw new Error(`the plugin did not start: ${stderr.toString()}`);
  return JSON.parse(stdout.toString());
}

/** What thatch adds to the start of opencode and to a user's message. */
export async function startFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  try {
    const empty = join(folder, "empty.js");
    await Bun.write(empty, "export default { server: async () => ({}) };");
    const plugin = join(import.meta.dir, "..", "dist", "opencode.js");
    const runs: { floor: number[]; start: number[]; messages: number[] } = { floor: [], start: [], messages: [] };
    for (let n = 0; n < STARTS; n++) {
      runs.floor.push(startOnce(empty, folder).start);
      const { start, messages } = startOnce(plugin, folder);
      runs.start.push(start);
      // The first message registers and opens the database; what is asked for is the ordinary one.
      runs.messages.push(...messages.slice(1));
    }
    return [
      {
        what: "plugin loaded and started, in the Bun inside opencode",
        measured: milliseconds(runs.start),
        floor: `${milliseconds(runs.floor)}: an empty plugin`,
        goal: "median ≤ 30 ms",
        met: quantile(runs.start, 0.5) <= 30,
      },
      {
        what: "hook on a user's message",
        measured: milliseconds(runs.messages),
        floor: "0 ms: no hook",
        goal: "median ≤ 2 ms",
        met: quantile(runs.messages, 0.5) <= 2,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
