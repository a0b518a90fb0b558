import { join } from "node:path";
import { BARE_INSERT, type Bed, OPERATIONS, type Operation, openBed, STORE_SEND } from "./operations.ts";
import { inFolder, type Population, saying, seed } from "./seed.ts";
import { type Figure, microseconds, quantile } from "./table.ts";

const ROUNDS = 300;
/** The first rounds prepare statements and warm the code. */
const WARM_UP = 20;
const MOST_GROWTH = 1.5;
const MOST_OVER_BARE = 3;
const SIZES: readonly Population[] = [
  { sessions: 10, messages: 10_000 },
  { sessions: 1_000, messages: 1_000_000 },
  { sessions: 10_000, messages: 5_000_000 },
];

/** Milliseconds of one operation on each bed, in turn, so that the machine's load falls on all alike. */
async function timesOf(operation: Operation, beds: readonly Bed[]): Promise<number[][]> {
  const times: number[][] = beds.map(() => []);
  for (let round = 0; round < WARM_UP + (operation.rounds ?? ROUNDS); round++) {
    for (const [index, bed] of beds.entries()) {
      operation.before?.(bed);
      const began = performance.now();
      await operation.run(bed, round);
      const took = performance.now() - began;
      operation.after?.(bed, round);
      if (round >= WARM_UP) times[index]?.push(took);
    }
  }
  return times;
}

async function growth(operation: Operation, all: readonly Bed[]): Promise<Figure> {
  const { what, grows = false, needs = grows ? 1_000 : 0 } = operation;
  const beds = all.filter(({ population }) => population.sessions >= needs);
  const times = await timesOf(operation, beds);
  const each = times.map((values, n) => quantile(values, 0.5) / (grows ? (beds[n]?.population.sessions ?? 1) : 1));
  const ratio = (each.at(-1) ?? Number.NaN) / (each[0] ?? Number.NaN);
  return {
    what: `${what}: ${beds.map(({ population }) => `${population.sessions.toLocaleString("en")} sessions`).join(" / ")}`,
    measured: `${times.map((values) => microseconds(values)).join(" / ")}, ${ratio.toFixed(2)}x${grows ? " a session" : ""}`,
    floor: "the smallest of them",
    goal: `median ≤ ${MOST_GROWTH}x${grows ? " for each session" : ""}`,
    met: ratio <= MOST_GROWTH,
  };
}

/** Sending beside a bare insert, on the middle database: one after the other in each round. */
async function overBare(bed: Bed): Promise<Figure> {
  const bare: number[] = [];
  const both: Operation = {
    what: "both",
    rounds: 1_000,
    before: (bed) => {
      const began = performance.now();
      BARE_INSERT.run(bed, 0);
      bare.push(performance.now() - began);
    },
    run: STORE_SEND.run,
  };
  const [send = []] = await timesOf(both, [bed]);
  const floor = bare.slice(WARM_UP);
  const ratio = quantile(send, 0.5) / quantile(floor, 0.5);
  return {
    what: `send, stored: ${saying(bed.population)}`,
    measured: `${microseconds(send)}, ${ratio.toFixed(2)}x`,
    floor: `${microseconds(floor)}: a bare insert in a transaction`,
    goal: `median ≤ ${MOST_OVER_BARE}x`,
    met: ratio <= MOST_OVER_BARE,
  };
}

/** What the operations of the store cost, and how that grows with the directory and the history. */
export function storeFigures(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const beds: Bed[] = [];
    try {
      for (const population of SIZES) {
        const file = join(folder, `${population.sessions}.db`);
        await seed(file, population);
        beds.push(openBed(file, population));
      }
      const figures: Figure[] = [];
      for (const bed of beds) figures.push(await overBare(bed));
      for (const operation of OPERATIONS) figures.push(await growth(operation, beds));
      return figures;
    } finally {
      for (const bed of beds) bed.close();
    }
  });
}
