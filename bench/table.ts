/** The value below which the given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One figure of the benchmark, the floor it was measured against in the same run, and the goal. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly goal: string;
  readonly met: boolean;
}

/** Prints figures as a Markdown table. */
export function printFigures(figures: readonly Figure[]): void {
  console.log("\n| figure | measured | floor in the same run | goal | met |\n|---|---|---|---|---|");
  for (const { what, measured, floor, goal, met } of figures) {
    console.log(`| ${what} | ${measured} | ${floor} | ${goal} | ${met ? "yes" : "NO"} |`);
  }
}

/** "1.2 ms (p99 3.4)". */
export function milliseconds(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(1)} ms (p99 ${quantile(values, 0.99).toFixed(1)}, max ${Math.max(...values).toFixed(1)}, n ${values.length})`;
}

/** "17 µs (p99 40)", of milliseconds. */
export function microseconds(values: readonly number[]): string {
  const micro = (share: number) => Math.round(quantile(values, share) * 1000).toLocaleString("en");
  return `${micro(0.5)} µs (p99 ${micro(0.99)})`;
}

/**
 * Milliseconds since the epoch with a fraction, comparable between the processes of one machine. Bun's `process.hrtime` is not: it
 * begins with its process.
 */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}
