// Waits for the end of standard input, tries to take a wake for every session, and prints those it got as JSON.
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { LIMITS, T0 } from "../fixtures.ts";

const store = createSqliteStore({ file: process.argv[2] ?? "", patienceMs: 60_000 });
const ids = (await store.roster()).map((row) => row.sessionId);
console.log("ready");
await Bun.stdin.text();
const taken: string[] = [];
for (const id of ids) if ((await store.takeWake(id, T0, LIMITS)).kind === "wake") taken.push(id);
console.log(JSON.stringify(taken));
