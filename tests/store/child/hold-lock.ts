// Holds the write lock of the database named by the first argument until its standard input ends.
import { Database } from "bun:sqlite";

const database = new Database(process.argv[2] ?? "", { readwrite: true, create: false });
database.run("BEGIN IMMEDIATE");
console.log("locked");
await Bun.stdin.text();
database.run("ROLLBACK");
database.close();
