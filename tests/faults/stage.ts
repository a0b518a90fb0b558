import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RosterRow } from "../../src/core/session.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { post, join as register } from "../store/fixtures.ts";
import { Surfaces } from "./surfaces.ts";

/** Folders and surfaces of a test, and how they go again. */
export class FaultStage {
  readonly folder = mkdtempSync(join(tmpdir(), "thatch-fault-"));
  readonly file = join(this.folder, "data", "thatch.db");
  readonly #open: Surfaces[] = [];
  readonly #undo: (() => void)[] = [];

  /** Makes a database with the sessions `brook` and `cedar` and this many messages of 1,000 bytes for brook. */
  async seed(file = this.file, messages = 50): Promise<void> {
    const store = createSqliteStore({ file });
    await register(store, "s1", "brook", Date.now());
    await register(store, "s2", "cedar", Date.now());
    for (let n = 0; n < messages; n++) await post(store, "s2", "s1", `${n}${"x".repeat(1000)}`, Date.now());
    store.close();
  }

  /** All surfaces on a database of this stage. */
  async surfaces(file = this.file, before: readonly string[] = []): Promise<Surfaces> {
    const surfaces = await Surfaces.open({ file, before });
    this.#open.push(surfaces);
    return surfaces;
  }

  /** The bodies in brook's inbox, read or not, in their order; and that the file is sound. */
  async mail(file = this.file): Promise<string[]> {
    const store = createSqliteStore({ file });
    try {
      return (await store.feed(null)).filter((message) => message.recipientId === "s1").map(({ body }) => body);
    } finally {
      store.close();
    }
  }

  async roster(): Promise<readonly RosterRow[]> {
    const store = createSqliteStore({ file: this.file });
    try {
      return await store.roster();
    } finally {
      store.close();
    }
  }

  /** Has `undo` run when the stage is closed. */
  later(undo: () => void): void {
    this.#undo.push(undo);
  }

  get data(): string {
    return dirname(this.file);
  }

  async close(): Promise<void> {
    for (const surfaces of this.#open) await surfaces.close();
    for (const undo of this.#undo.reverse()) undo();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
