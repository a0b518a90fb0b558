import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Home, makeHome } from "../testbed/home.ts";
import { type Model, startModel } from "../testbed/model.ts";
import { startServe } from "../testbed/serve.ts";
import { until } from "../testbed/wait.ts";

export const THATCH = pathToFileURL(join(import.meta.dir, "..")).href;
const PROBE = pathToFileURL(join(import.meta.dir, "probe-plugin.ts")).href;

/** A scripted model and opencode servers for one benchmark; everything ends and goes with `close`. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), "thatch-bench-"));
  const model: Model = await startModel();
  const databasePath = join(folder, "thatch.db");
  const closers: (() => Promise<void>)[] = [() => model.stop(), () => rm(folder, { recursive: true, force: true })];

  return {
    model,
    databasePath,
    /** Where the probe of this server writes. */
    probeFile: (who: string) => join(folder, `${who}.probe`),
    /** Starts a server with thatch (unless told otherwise) and the probe, and gives a session of it one prompt. */
    async serve(who: string, how: { thatch?: boolean; env?: Record<string, string> } = {}) {
      const plugins = how.thatch === false ? [PROBE] : [PROBE, THATCH];
      const env = { THATCH_CHAT_NUDGES_PER_HOUR: "100000", BENCH_PROBE: join(folder, `${who}.probe`), ...how.env };
      const home: Home = await makeHome({ modelUrl: model.url(who), plugins, databasePath, env });
      closers.push(() => home.remove());
      const serve = await startServe(home);
      closers.push(() => serve.stop());
      const { id } = await serve.client.createSession();
      await serve.client.prompt(id, "hello");
      await until(`${who} to be idle`, () => serve.client.isIdle(id));
      return { home, serve, id };
    },
    async close(): Promise<void> {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A writer of messages in this process, which for the servers is another one. */
export function mailer(databasePath: string) {
  const database = new Database(databasePath, { readwrite: true });
  database.run("PRAGMA busy_timeout = 2000");
  const insert = database.prepare(
    "INSERT INTO chat_messages (sender_id, recipient_id, body, via_broadcast, sent_at) VALUES ('ses_bench', ?, CAST('hello' AS BLOB), 0, ?)",
  );
  const unread = database.prepare<{ n: number }, [string]>(
    "SELECT count(*) AS n FROM chat_messages WHERE recipient_id = ? AND read_at IS NULL",
  );
  return {
    send: (recipientId: string) => void insert.run(recipientId, Date.now()),
    unread: (recipientId: string) => unread.get(recipientId)?.n ?? 0,
    close: () => database.close(),
  };
}
