import { readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has used so far, in seconds. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** One line of numbers in `/proc/PID/FILE`, by its name. */
export function procNumber(pid: number, file: string, name: string): number {
  const line = readFileSync(`/proc/${pid}/${file}`, "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`/proc/${pid}/${file} has no line ${name}`);
  return Number(/\d+/.exec(line)?.[0]);
}

/** Milliseconds from the start of a command to its end. Throws when it fails. */
export function timed(command: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): number {
  const began = performance.now();
  const { success, stderr } = Bun.spawnSync([...command], {
    env: { PATH: process.env.PATH, ...env },
    stdin: new TextEncoder().encode(input),
  });
  const took = performance.now() - began;
  if (!success) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  return took;
}

/** Takes every measure once a round and in turn, so that the machine's load falls on all alike. */
export function inTurn(rounds: number, measures: readonly (() => number)[]): number[][] {
  const times: number[][] = measures.map(() => []);
  for (let n = 0; n < rounds; n++) for (const [index, measure] of measures.entries()) times[index]?.push(measure());
  return times;
}
