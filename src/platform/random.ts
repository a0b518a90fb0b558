import type { Random } from "../core/random.ts";

const TOKEN_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const TOKEN_LENGTH = 10;

/** Chance from the operating system: 32 letters over 10 places make tokens of 50 bits. */
export const systemRandom: Random = {
  fraction() {
    return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
  },
  token() {
    const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_LENGTH));
    return Array.from(bytes, (byte) => TOKEN_ALPHABET[byte % TOKEN_ALPHABET.length]).join("");
  },
};
