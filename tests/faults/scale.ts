/** The long form is that of `npm run test:faults`; `npm test` runs the short one. */
export const LONG = process.env.THATCH_TEST_FAULTS === "long";

/** How often something is done. */
export function times(short: number, long: number): number {
  return LONG ? long : short;
}

/** The seed of everything random in a file, printed so that `THATCH_TEST_SEED` repeats a run. */
export const SEED = Number(process.env.THATCH_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Fractions in [0, 1) that a seed determines: mulberry32. */
export function fractions(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
