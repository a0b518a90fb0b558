import { attempt, type Patience } from "./attempt.ts";
import { type Connection, SchemaChanged } from "./connection.ts";
import { isBusy } from "./failure.ts";
import { openDatabase } from "./open.ts";

/** How often it is checked, where nothing is written, that the path still names the open file. */
const REPLACED_CHECK_MS = 1000;

/**
 * Holds the one connection of a store: opens it at the first use, again after a failure, and again when the file was
 * deleted, replaced or migrated.
 */
export class Access {
  #connection: Connection | null = null;
  #checkedAt = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(
    readonly patience: Patience,
    readonly busyMs: number,
  ) {}

  read<T>(work: (connection: Connection) => T): Promise<T> {
    return attempt(() => this.#use(work), this.patience.now(), this.patience);
  }

  /** Writes of one store happen in the order they were asked for, so that a retry never overtakes what came after it. */
  write<T>(work: (connection: Connection) => T): Promise<T> {
    const since = this.patience.now();
    const result = this.#lastWrite.then(() => attempt(() => this.#write(work), since, this.patience));
    // The failure is the caller's to handle; here it only must not stop the writes that follow.
    this.#lastWrite = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** A write that had better not happen than keep anybody waiting: it goes past those that wait, and gives up after `patienceMs`. */
  writeAtOnce<T>(work: (connection: Connection) => T, patienceMs: number): Promise<T> {
    return attempt(() => this.#write(work), this.patience.now(), { ...this.patience, patienceMs });
  }

  /** Lets go of the file; the next use opens it again. */
  close(): void {
    this.#drop();
  }

  #use<T>(work: (connection: Connection) => T): T {
    try {
      return this.#work(work);
    } catch (error) {
      // After any other failure the connection is not to be trusted, and a mended file needs a new one.
      if (!isBusy(error)) this.#drop();
      throw error;
    }
  }

  /** What is written into a file that was deleted is lost, and its writer was told that it is stored. */
  #write<T>(work: (connection: Connection) => T): T {
    if (this.#connection?.isReplaced()) this.#drop();
    return this.#use(work);
  }

  #work<T>(work: (connection: Connection) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      if (!(error instanceof SchemaChanged)) throw error;
      // Opening it anew tells whether this version can use it.
      this.#drop();
      return work(this.#open());
    }
  }

  #open(): Connection {
    const { file, now } = this.patience;
    if (this.#connection && now() - this.#checkedAt >= REPLACED_CHECK_MS) {
      this.#checkedAt = now();
      if (this.#connection.isReplaced()) this.#drop();
    }
    // A newer thatch may migrate what is open here; one statement of microseconds keeps this one from writing into its schema.
    if (this.#connection?.isSchemaHeld() === false) this.#drop();
    if (!this.#connection) {
      this.#connection = openDatabase(file, this.busyMs);
      this.#checkedAt = now();
    }
    return this.#connection;
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }
}
