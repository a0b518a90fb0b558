import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { statSync } from "node:fs";

/** Another version of thatch migrated the database that was open here. */
export class SchemaChanged extends Error {
  constructor(file: string) {
    super(`another version of thatch changed the schema of ${file}`);
    this.name = "SchemaChanged";
  }
}

/** One open SQLite database. Statements are prepared once and kept; everything here is synchronous. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  readonly #identity: string | null;
  #schema: number | null = null;

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

  /** From now on the database counts as this one only as long as it has this schema, which another version of thatch may change. */
  holdTo(schema: number): void {
    this.#schema = schema;
  }

  /** Whether the database has the schema that this connection was held to. */
  isSchemaHeld(): boolean {
    return this.#schema === null || this.schema() === this.#schema;
  }

  schema(): number {
    return this.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  }

  /**
   * Runs `work` holding the write lock: it commits as a whole, or not at all when it throws. Throws `SchemaChanged`, and writes
   * nothing, when another version of thatch changed the schema before it got the lock.
   */
  immediate<T>(work: () => T): T {
    this.run("BEGIN IMMEDIATE");
    try {
      if (!this.isSchemaHeld()) throw new SchemaChanged(this.file);
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      // After some failures (disk full, IO error) SQLite has rolled back by itself.
      if (this.#database.inTransaction) this.run("ROLLBACK");
      throw error;
    }
  }

  /** One statement that writes, as a transaction of its own, and the rows it returns. */
  change<Row>(sql: string, ...values: SQLQueryBindings[]): Row[] {
    return this.immediate(() => this.all<Row>(sql, ...values));
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
