// Another process: stores messages at random moments, as `<database> <recipient> <count>`.
import { createSqliteStore } from "../../src/store/sqlite/store.ts";

const [file = "", recipientId = "", count = "1"] = process.argv.slice(2);
const store = createSqliteStore({ file });
for (let n = 0; n < Number(count); n++) {
  const message = { senderId: "ses_sender", recipientId, body: `child ${n}`, replyTo: null, at: Date.now() };
  const sent = await store.send(message);
  if (sent.kind !== "sent") throw new Error(`message ${n} was not stored: ${sent.kind}`);
  if (Math.random() < 0.6) await Bun.sleep(Math.random() * 6);
}
store.close();
