// Tries the database named by the first argument as a user whom file permissions bind, and prints each failure as JSON.
import { ChatError } from "../../../src/core/errors.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { join, post } from "../fixtures.ts";

const NOBODY = 65534;
if (process.getuid?.() === 0) process.setuid?.(NOBODY);
const store = createSqliteStore({ file: process.argv[2] ?? "" });
for (const operation of [() => join(store, "s9"), () => post(store, "s1", "s2")]) {
  try {
    await operation();
    console.log(JSON.stringify("written"));
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    console.log(JSON.stringify(error.failure));
  }
}
