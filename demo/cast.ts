import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChatStore } from "../src/core/store.ts";
import { createSqliteStore } from "../src/store/sqlite/store.ts";
import { type Home, makeHome } from "../testbed/home.ts";
import { type Model, startModel } from "../testbed/model.ts";
import { type Serve, startServe } from "../testbed/serve.ts";
import { until } from "../testbed/wait.ts";

/** One session of the demo, alone in an opencode process with a home of its own. */
export interface Actor {
  /** What the model knows it by, and what its project is called. */
  readonly who: string;
  readonly home: Home;
  readonly directory: string;
  readonly serve: Serve;
  readonly sessionId: string;
  /** The name thatch gave it. */
  readonly name: string;
}

/** Everything the demo runs. `close` ends all of it and deletes what it made; it may be called at any time, and again. */
export interface Cast {
  /** The database that the sessions share. */
  readonly databasePath: string;
  readonly model: Model;
  readonly store: ChatStore;
  /** Starts an opencode process in a project of this name and gives its session a first prompt. */
  join(who: string, title: string): Promise<Actor>;
  close(): Promise<void>;
}

const THATCH = pathToFileURL(join(import.meta.dir, "..")).href;

/** Starts the scripted model and makes room for the database that all sessions share. */
export async function openCast(): Promise<Cast> {
  const folder = await mkdtemp(join(tmpdir(), "thatch-demo-"));
  const databasePath = join(folder, "thatch.db");
  const model = await startModel();
  const store = createSqliteStore({ file: databasePath });
  const closers = [async () => store.close(), () => model.stop(), () => rm(folder, { recursive: true, force: true })];
  let closing: Promise<void> | null = null;
  /** What is being opened: it exists in part already, and is closed by whoever opens it. */
  const opening = new Set<Promise<unknown>>();

  async function closeAll(): Promise<void> {
    await Promise.allSettled(opening);
    // In the order opposite to their making: processes end before their homes are deleted.
    const processesFirst = closers.splice(0).reverse();
    const failures: unknown[] = [];
    for (const close of processesFirst) await close().catch((error) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `not all was cleaned up: ${failures.map(String).join("; ")}`);
  }

  /** Opens something that has to be closed again, unless the demo is being closed already. */
  function opened<T>(open: Promise<T>, close: (it: T) => Promise<void>): Promise<T> {
    const result = keepOpened(open, close).finally(() => opening.delete(result));
    opening.add(result);
    return result;
  }

  async function keepOpened<T>(open: Promise<T>, close: (it: T) => Promise<void>): Promise<T> {
    const it = await open;
    if (closing) {
      await close(it);
      throw new Error("the demo was ended");
    }
    closers.push(() => close(it));
    return it;
  }

  return {
    databasePath,
    model,
    store,
    async join(who, title) {
      model.title(who, title);
      const made = makeHome({ modelUrl: model.url(who), plugins: [THATCH], databasePath });
      const home = await opened(made, (it) => it.remove());
      const directory = await home.makeDirectory(who, { git: true });
      const serve = await opened(startServe(home, { directory }), (it) => it.stop());
      const { id } = await serve.client.createSession();
      await serve.client.prompt(id, `You work on the ${who}.`);
      const row = await until(`${who} to be in the directory`, () => store.find(id));
      await until(`${who} to be idle`, () => serve.client.isIdle(id));
      return { who, home, directory, serve, sessionId: id, name: row.name };
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
