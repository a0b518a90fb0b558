// Arguments: file, process number, sessions. Waits for the end of standard input, registers, and prints the names as JSON.
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { join, registered } from "../fixtures.ts";

const [file = "", process_ = "", sessions = ""] = process.argv.slice(2);
const store = createSqliteStore({ file, patienceMs: 60_000 });
console.log("ready");
await Bun.stdin.text();
const names: string[] = [];
for (let i = 0; i < Number(sessions); i++) {
  names.push(registered(await join(store, `${process_}-${i}`, ["ada", "brook", "cedar"][i % 3])).name);
}
console.log(JSON.stringify(names));
