import { expect, test } from "bun:test";
import { NAME_POOL } from "../../src/core/name-pool.ts";
import { levenshtein } from "../../src/core/names.ts";

/** Words that read as a role, a tool's word or a product; a name must not be mistaken for one. */
const ROLES = `
admin agent all anyone api app assist bash boss bot broadcast channel chat chatgpt child claude client codex
copilot cursor dev devin editor everyone gemini god gpt guest host human inbox leader llama local lead list
main manager master me mistral model nobody none null openai owner parent peer planner prompt read reader root
send sender server session shell sonnet haiku opus slave staff sudo sysop system team tester thatch tool user
worker you
`
  .trim()
  .split(/\s+/);

/** Letters that must stand nowhere in a name. */
const RUDE =
  /anal|anus|arse|bitch|bum$|butt$|cock|cok$|(?<!rac)coon|crap|cum(?!in)|cunt|damn|dick|dork|dyke|fag|fart|fuck|gook|hell$|homo|jerk|kike|klan|nazi|negro|nigg|paki|piss|poo$|poop|porn|prick|puss|queer|rape|retard|semen|sex(?!tant)|shit|slut|spic$|suck|(?<!mus)tard|tits|turd|twat|wank|whore/;

test("holds at least 500 words", () => {
  expect(NAME_POOL.length).toBeGreaterThanOrEqual(500);
  expect(new Set(NAME_POOL).size).toBe(NAME_POOL.length);
});

test("every word is three to seven lower-case letters", () => {
  expect(NAME_POOL.filter((word) => !/^[a-z]{3,7}$/.test(word))).toEqual([]);
});

test("no two words are one letter apart", () => {
  const close: string[] = [];
  for (const [index, word] of NAME_POOL.entries())
    for (const other of NAME_POOL.slice(index + 1)) if (levenshtein(word, other) < 2) close.push(`${word}/${other}`);
  expect(close).toEqual([]);
});

test("no word reads as a role, a product or an insult", () => {
  expect(NAME_POOL.filter((word) => ROLES.includes(word) || RUDE.test(word))).toEqual([]);
});

test("the words are pronounceable: each has a vowel, none has four equal or five other consonants in a row", () => {
  expect(NAME_POOL.filter((word) => !/[aeiouy]/.test(word) || /[^aeiouy]{5}|(.)\1\1/.test(word))).toEqual([]);
});
