// Another process: stores messages for a session of the database given, as `<database> <recipient> <count>`.
import { createSqliteStore } from "../../src/store/sqlite/store.ts";

const [file = "", recipientId = "", count = "1"] = process.argv.slice(2);
const store = createSqliteStore({ file });
for (let n = 0; n < Number(count); n++) {
  const sent = await store.send({
    senderId: "ses_sender",
    recipientId,
    body: `child ${n}`,
    replyTo: null,
    at: Date.now(),
  });
  if (sent.kind !== "sent") throw new Error(`message ${n} was not stored: ${sent.kind}`);
}
store.close();
