import { NAME_POOL } from "./name-pool.ts";

const LONGEST_COMPARED = 64;

/** Draws the base of a name; `random` is uniform in [0, 1). */
export function drawBase(random: () => number): string {
  const base = NAME_POOL[Math.floor(random() * NAME_POOL.length)];
  if (base === undefined) throw new RangeError("a random fraction has to be in [0, 1)");
  return base;
}

/** The name of the `count`-th session that drew this base: "ada", then "ada-2". */
export function assignedName(base: string, count: number): string {
  return count === 1 ? base : `${base}-${count}`;
}

/** The names somebody may have meant, nearest first: at most `limit`, and only those that are plausible. */
export function nearestNames(wanted: string, names: readonly string[], limit = 3): string[] {
  // No name is that long, and comparing a long text with a long roster would hold up the host.
  if (wanted.length > LONGEST_COMPARED) return [];
  const target = wanted.toLowerCase();
  const farthest = Math.max(2, Math.floor(target.length / 2));
  return names
    .map((name) => ({ name, distance: distanceTo(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

function distanceTo(target: string, name: string): number {
  if (target === name) return 0;
  const contained = target.length >= 2 && (name.includes(target) || target.includes(name));
  return contained ? 0.5 : levenshtein(target, name);
}

/** Edits between two words. Written by hand since this layer imports no package. */
export function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
