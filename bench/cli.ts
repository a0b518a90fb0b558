import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { type Figure, milliseconds, quantile, wallClock } from "./table.ts";

const ROUNDS = 40;
const MESSAGES = 100;
const IDLE_SECONDS = 10;
const THATCH = join(import.meta.dir, "..", "bin", "thatch");
/** What every command that opens the database costs at least. */
const FLOOR = `import { Database } from "bun:sqlite";
  new Database(process.argv[2], { readwrite: true, create: false }).query("SELECT count(*) FROM chat_sessions").get();`;

/** A database with so many sessions and messages, all read but one in ten thousand. */
async function seed(file: string, sessions: number, messages: number): Promise<void> {
  const store = createSqliteStore({ file });
  for (let n = 0; n < sessions; n++) {
    const session = {
      sessionId: `s${n}`,
      host: "opencode",
      hostMode: "tui",
      topic: `topic ${n}`,
      worktree: null,
    } as const;
    const how = { base: "ada", at: Date.now(), tombstone: "respect" } as const;
    await store.register({ ...session, project: `project ${n % 7}`, directory: `/src/${n}` }, how);
  }
  store.close();
  const database = new Database(file);
  const insert = database.query(
    `INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at, read_at) VALUES ('s0', ?, x'61', 0, ?, ?)`,
  );
  database.transaction(() => {
    for (let n = 0; n < messages; n++) insert.run(`s${n % sessions}`, n, n % 10_000 === 0 ? null : n);
  })();
  database.close();
}

function timed(command: readonly string[], file: string): number {
  const began = performance.now();
  const { success, stderr } = Bun.spawnSync([...command], {
    env: { PATH: process.env.PATH, HOME: file, THATCH_DB_PATH: file },
  });
  const took = performance.now() - began;
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  return took;
}

/** Times the commands in turn, so that the machine's load falls on all alike. */
function timeAll(commands: readonly (readonly [readonly string[], string])[]): number[][] {
  const times: number[][] = commands.map(() => []);
  for (let n = 0; n < ROUNDS; n++)
    commands.forEach(([command, file], index) => void times[index]?.push(timed(command, file)));
  return times;
}

/** From the return of a send in this process to the line of a following tail. */
async function printTimes(file: string): Promise<{ times: number[]; idle: number }> {
  const child = Bun.spawn([THATCH, "chat", "tail", "-n", "0"], {
    env: { PATH: process.env.PATH, HOME: file, THATCH_DB_PATH: file },
    stdout: "pipe",
  });
  const printed = new Map<string, number>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const at = wallClock();
      for (const [, body] of decoder.decode(chunk).matchAll(/"body":"(\d+)"/g)) if (body) printed.set(body, at);
    }
  })();
  await Bun.sleep(1000);
  const before = processorSeconds(child.pid);
  await Bun.sleep(IDLE_SECONDS * 1000);
  const idle = (processorSeconds(child.pid) - before) / IDLE_SECONDS;
  const store = createSqliteStore({ file });
  const times: number[] = [];
  for (let n = 0; n < MESSAGES; n++) {
    await Bun.sleep(20 + Math.random() * 50);
    await store.send({ senderId: "s0", recipientId: "s1", body: String(n), replyTo: null, at: Date.now() });
    const sent = wallClock();
    while (!printed.has(String(n))) await Bun.sleep(0);
    times.push(Math.max(0, (printed.get(String(n)) ?? Number.NaN) - sent));
  }
  store.close();
  child.kill("SIGINT");
  await Promise.all([child.exited, reading]);
  return { times, idle };
}

/** Time that a process has used, in seconds: fields 14 and 15 of /proc/PID/stat, in ticks of 10 ms. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** What the command line costs. */
export async function cliFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "thatch-bench-"));
  try {
    const [small, large] = [join(folder, "small.db"), join(folder, "large.db")];
    await seed(small, 100, 1_000);
    await seed(large, 100, 100_000);
    const floorScript = join(folder, "floor.js");
    await Bun.write(floorScript, FLOOR);
    const [floor = [], version = [], list = [], largeList = [], tail = [], largeTail = []] = timeAll([
      [[process.execPath, floorScript, small], small],
      [[THATCH, "--version"], small],
      [[THATCH, "chat", "list"], small],
      [[THATCH, "chat", "list"], large],
      [[THATCH, "chat", "tail", "--no-follow", "-n", "20"], small],
      [[THATCH, "chat", "tail", "--no-follow", "-n", "20"], large],
    ]);
    const against = (what: string, times: number[], base: number[], name: string, goal: number): Figure => {
      const ratio = quantile(times, 0.5) / quantile(base, 0.5);
      return {
        what,
        measured: `${milliseconds(times)}, ${ratio.toFixed(2)}x`,
        floor: `${milliseconds(base)}: ${name}`,
        goal: `median ≤ ${goal}x`,
        met: ratio <= goal,
      };
    };
    const empty = "an empty Bun process that opens the database";
    const { times, idle } = await printTimes(small);
    return [
      against("thatch --version", version, floor, empty, 2.5),
      against("thatch chat list, 100 sessions", list, floor, empty, 2.5),
      against("thatch chat list, 100,000 messages", largeList, list, "the same, 1,000 messages", 1.2),
      against("thatch chat tail -n 20 --no-follow, 100,000 messages", largeTail, tail, "the same, 1,000 messages", 1.2),
      {
        what: "message stored → printed by a following tail",
        measured: milliseconds(times),
        floor: "0 ms",
        goal: "p99 ≤ 50 ms",
        met: quantile(times, 0.99) <= 50,
      },
      {
        what: "processor time of a tail that waits",
        measured: `${(idle * 100).toFixed(2)} % of a core`,
        floor: "0 %",
        goal: "≤ 1 %",
        met: idle <= 0.01,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
