// Sends to the given sessions in turn until it is killed: `<database> <tag> <recipient>…`. Prints `ready`, and `id recipient body` of each message once
// its send has returned.
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { post } from "../../store/fixtures.ts";

const [file = "", tag = "", ...recipients] = process.argv.slice(2);
const store = createSqliteStore({ file, patienceMs: 60_000 });
console.log("ready");
for (let n = 0; ; n++) {
  const recipient = recipients[n % recipients.length] ?? "";
  const { id, body } = await post(store, "sender", recipient, `${tag}:${n}:${"x".repeat((n % 5) * 900)}`, Date.now());
  console.log(`${id} ${recipient} ${body}`);
}
