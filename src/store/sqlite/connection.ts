import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { statSync } from "node:fs";

/** One open SQLite database. Statements are prepared once and kept; everything here is synchronous. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  readonly #identity: string | null;

  /**
   * Opens an existing file and never creates one. `busyMs` is how long one statement may wait for another process's lock,
   * and so how long it may block the event loop. Throws SQLite's own errors.
   */
  constructor(
    readonly file: string,
    busyMs: number,
  ) {
    this.#identity = identityOf(file);
    this.#database = new Database(file, { readwrite: true, create: false, strict: true });
    this.#database.run(`PRAGMA busy_timeout = ${Math.round(busyMs)}`);
  }

  /** Every row. Statements that write come here too when they return rows: all rows are fetched, so the write is complete. */
  all<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** The first row, or null. */
  get<Row>(sql: string, ...values: SQLQueryBindings[]): Row | null {
    return this.all<Row>(sql, ...values)[0] ?? null;
  }

  run(sql: string, ...values: SQLQueryBindings[]): void {
    this.#prepared(sql).run(...values);
  }

  /** Runs one INSERT of one row, and returns its row id. */
  insert(sql: string, ...values: SQLQueryBindings[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /** Runs `work` holding the write lock: it commits as a whole, or not at all when it throws. */
  immediate<T>(work: () => T): T {
    this.run("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      // After some failures (disk full, IO error) SQLite has rolled back by itself.
      if (this.#database.inTransaction) this.run("ROLLBACK");
      throw error;
    }
  }

  /** Whether the path names another file now, or none: this connection then reads and writes what nobody else sees. */
  isReplaced(): boolean {
    return identityOf(this.file) !== this.#identity;
  }

  /** SQLite leaves the files of a replaced database alone when the connection to the old one is closed. */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): Statement<unknown, SQLQueryBindings[]> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare<unknown, SQLQueryBindings[]>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function identityOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}
