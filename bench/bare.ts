import { Database } from "bun:sqlite";

/** What every program that opens the database costs at least. */
export const OPENING_PROGRAM = `import { Database } from "bun:sqlite";
  new Database(process.argv[2], { readwrite: true, create: false }).query("SELECT count(*) FROM sqlite_schema").get();`;

/** The least that storing a message can cost: one row of its columns in a table without an index, in a transaction of its own. */
export interface BareInbox {
  /** Throws SQLite's error when another process keeps the lock for longer than 5 seconds. */
  insert(sender: string, recipient: string, body: string, at: number): void;
  count(): number;
  close(): void;
}

/** SQLite with the settings of thatch's own connections, and prepared statements. `file` is made when it is missing. */
export function openBareInbox(file: string): BareInbox {
  const database = new Database(file);
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = NORMAL");
  database.run(
    "CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, sender TEXT, recipient TEXT, body BLOB, at INTEGER)",
  );
  const [begin, insert, commit] = [
    database.prepare("BEGIN IMMEDIATE"),
    database.prepare("INSERT INTO bare (sender, recipient, body, at) VALUES (?, ?, ?, ?)"),
    database.prepare("COMMIT"),
  ];
  const encoder = new TextEncoder();
  return {
    insert(sender, recipient, body, at) {
      begin.run();
      insert.run(sender, recipient, encoder.encode(body), at);
      commit.run();
    },
    count: () => database.query<{ n: number }, []>("SELECT count(*) AS n FROM bare").get()?.n ?? 0,
    close: () => database.close(),
  };
}
