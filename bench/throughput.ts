import { join } from "node:path";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { openBareInbox } from "./bare.ts";
import { inFolder, seed, sessionId } from "./seed.ts";
import { type Figure, quantile } from "./table.ts";

const WRITERS = [1, 4, 16, 64] as const;
const MESSAGES = 6_400;
const ROUNDS = 3;
const LEAST_SHARE = 0.7;
const BODY = "x".repeat(200);
const PROGRAM = import.meta.path;

/** What a writing process does: says that it is ready, waits for the word, and writes; its last line tells how many errors its caller saw. */
async function write(kind: string, file: string, writer: number, count: number): Promise<void> {
  const [me, other] = [sessionId(writer), sessionId(writer + 1)];
  const store = createSqliteStore({ file });
  const bare = kind === "bare" ? openBareInbox(file) : null;
  if (bare === null) await store.find(me);
  console.log("ready");
  await Bun.stdin.stream().getReader().read();
  let errors = 0;
  for (let n = 0; n < count; n++) {
    try {
      if (bare !== null) bare.insert(me, other, BODY, Date.now());
      else {
        const outcome = await store.send({
          senderId: me,
          recipientId: other,
          body: BODY,
          replyTo: null,
          at: Date.now(),
        });
        if (outcome.kind !== "sent") throw new Error(outcome.kind);
      }
    } catch (error) {
      // Counted and told: that there are none is what is measured.
      console.error(error);
      errors++;
    }
  }
  console.log(`errors ${errors}`);
  store.close();
  bare?.close();
}

/** Starts the writers, lets them begin together, and returns messages a second and the errors that callers saw. */
async function race(kind: "bare" | "thatch", file: string, writers: number): Promise<{ rate: number; errors: number }> {
  const count = MESSAGES / writers;
  const children = Array.from({ length: writers }, (_, writer) =>
    Bun.spawn([process.execPath, PROGRAM, kind, file, String(writer), String(count)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const outputs = children.map((child) => child.stdout.getReader());
  for (const output of outputs) await output.read();
  const began = performance.now();
  for (const child of children) {
    child.stdin.write("go\n");
    child.stdin.flush();
  }
  const lines = await Promise.all(outputs.map(async (output) => new TextDecoder().decode((await output.read()).value)));
  const took = performance.now() - began;
  for (const child of children) await child.exited;
  const errors = lines.reduce((sum, line) => sum + Number(/errors (\d+)/.exec(line)?.[1] ?? count), 0);
  return { rate: (MESSAGES / took) * 1000, errors };
}

/** Writers of one count, bare SQLite and thatch in turn. */
async function figureOf(folder: string, writers: number): Promise<Figure> {
  const [file, bareFile] = [join(folder, `${writers}.db`), join(folder, `${writers}-bare.db`)];
  await seed(file, { sessions: 100, messages: 0 });
  const rates = { bare: [] as number[], thatch: [] as number[] };
  let errors = 0;
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push((await race("bare", bareFile, writers)).rate);
    const outcome = await race("thatch", file, writers);
    rates.thatch.push(outcome.rate);
    errors += outcome.errors;
  }
  const store = createSqliteStore({ file });
  const stored = (await store.roster()).reduce((sum, { unread }) => sum + unread, 0);
  store.close();
  const lost = MESSAGES * ROUNDS - stored;
  const [rate, floor] = [quantile(rates.thatch, 0.5), quantile(rates.bare, 0.5)];
  return {
    what: `messages stored by ${writers} writing process${writers === 1 ? "" : "es"}`,
    measured: `${Math.round(rate).toLocaleString("en")} a second, ${(rate / floor).toFixed(2)}x; ${lost} lost, ${errors} errors`,
    floor: `${Math.round(floor).toLocaleString("en")} a second: bare inserts by as many`,
    goal: `≥ ${LEAST_SHARE}x, none lost, no error`,
    met: rate / floor >= LEAST_SHARE && lost === 0 && errors === 0,
  };
}

/** How many messages a second one file takes from processes that all write at once. */
export function throughputFigures(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const figures: Figure[] = [];
    for (const writers of WRITERS) figures.push(await figureOf(folder, writers));
    return figures;
  });
}

const [kind, file, writer, count] = process.argv.slice(2);
if (import.meta.main && kind !== undefined && file !== undefined)
  await write(kind, file, Number(writer), Number(count));
