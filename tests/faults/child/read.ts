// Reads the given inboxes in turn until it is killed: `<database> <recipient>…`. Prints `ready`, and the ids of each page, once it has it, as JSON.
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";

const [file = "", ...recipients] = process.argv.slice(2);
const store = createSqliteStore({ file, patienceMs: 60_000 });
console.log("ready");
for (let n = 0; ; n++) {
  const page = await store.read(recipients[n % recipients.length] ?? "", { messages: 7, bytes: 20_000 }, Date.now());
  if (page.messages.length > 0) console.log(JSON.stringify(page.messages.map((message) => message.id)));
  await Bun.sleep(3);
}
