// Sends until the file system refuses, and prints how many sends returned and the failure as JSON.
import { ChatError } from "../../../src/core/errors.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { post } from "../fixtures.ts";

const store = createSqliteStore({ file: process.argv[2] ?? "" });
let returned = 0;
try {
  for (; returned < 10_000; returned++) await post(store, "s1", "s2", "x".repeat(50_000));
} catch (error) {
  if (!(error instanceof ChatError)) throw error;
  console.log(JSON.stringify({ returned, failure: error.failure }));
}
