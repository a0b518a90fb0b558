// Sends to `s2` until it is killed, and prints the id of each message once its send has returned.
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { post } from "../fixtures.ts";

const store = createSqliteStore({ file: process.argv[2] ?? "" });
for (;;) console.log((await post(store, "s1", "s2", "x".repeat(3000))).id);
