import { cpus } from "node:os";
import { OPENCODE_BINARY } from "../testbed/home.ts";
import { claudeFigures } from "./claude.ts";
import { claudeWakeFigures } from "./claude-wake.ts";
import { cliFigures } from "./cli.ts";
import { contextFigures } from "./context.ts";
import { doorbellFigure, doorbellTimes } from "./doorbell.ts";
import { idleFigures } from "./idle.ts";
import { startFigures } from "./start.ts";
import { storeFigures } from "./store.ts";
import { type Figure, printFigures } from "./table.ts";
import { throughputFigures } from "./throughput.ts";
import { wakeFigures } from "./wake.ts";

/** The doorbell in the Bun that opencode brings. */
function doorbellInHost(): { bare: number[]; doorbell: number[] } {
  const { stdout, stderr, success } = Bun.spawnSync([OPENCODE_BINARY, `${import.meta.dir}/doorbell.ts`, "--times"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BUN_BE_BUN: "1" },
  });
  if (!success) throw new Error(`the doorbell could not be measured: ${stderr.toString()}`);
  return JSON.parse(stdout.toString());
}

const parts: readonly [string, () => Promise<Figure[]>][] = [
  [
    "doorbell",
    async () => [
      doorbellFigure(`Bun ${Bun.version}`, await doorbellTimes()),
      doorbellFigure("the Bun inside opencode", doorbellInHost()),
    ],
  ],
  ["store", storeFigures],
  ["throughput", throughputFigures],
  ["wake", async () => wakeFigures(doorbellInHost().bare)],
  ["start", startFigures],
  ["context", contextFigures],
  ["cli", cliFigures],
  ["claude", async () => [...(await claudeFigures()), ...(await claudeWakeFigures())]],
  ["idle", idleFigures],
];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !parts.some(([part]) => part === name));
if (unknown !== undefined) {
  console.error(
    `There is no benchmark ${JSON.stringify(unknown)}. Choose from: ${parts.map(([name]) => name).join(", ")}.`,
  );
  process.exit(2);
}

const figures: Figure[] = [];
for (const [name, measure] of parts) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`Measuring: ${name} …`);
  figures.push(...(await measure()));
}
console.log(
  `${process.platform} ${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Bun ${Bun.version}, ${new Date().toISOString().slice(0, 10)}`,
);
printFigures(figures);
process.exitCode = figures.every((figure) => figure.met) ? 0 : 1;
