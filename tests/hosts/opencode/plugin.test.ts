import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hooks, PluginInput } from "@opencode-ai/plugin";
import type { StartedRuntime } from "../../../src/hosts/opencode/create-runtime.ts";
import plugin from "../../../src/hosts/opencode/plugin.ts";
import { exitBubble } from "../../../src/text/exit.ts";

/** What the process runs, where copies of the module find each other. */
const RUNNING = Symbol.for("thatch.opencode.running");
const shared = globalThis as { [RUNNING]?: { started: StartedRuntime } | undefined };

let folder: string;
let before: Record<string, string | undefined>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thatch-plugin-"));
  const env = {
    THATCH_DB_PATH: join(folder, "thatch.db"),
    THATCH_CONFIG_PATH: join(folder, "config.json"),
    THATCH_DEBUG: join(folder, "debug.log"),
  };
  before = Object.fromEntries(Object.keys(env).map((key) => [key, process.env[key]]));
  Object.assign(process.env, env);
});
afterEach(() => {
  shared[RUNNING]?.started.pause();
  delete shared[RUNNING];
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[key];
    else process.env[key] = value;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** opencode's API under its published client, as far as these tests reach it. */
function sdk() {
  const published: unknown[] = [];
  const answered = async (data: unknown) => ({ data, response: { status: 200 } });
  const client = {
    session: {
      get: ({ path: { id } }: { path: { id: string } }) => answered({ id, title: "Work", directory: "/projects/demo" }),
      status: () => answered({}),
      messages: () =>
        answered([
          { info: { role: "user", agent: "build", model: {} }, parts: [{ type: "text", text: exitBubble() }] },
          { info: { role: "assistant" }, parts: [{ type: "text", text: "THATCH-EXIT-READY" }] },
        ]),
    },
    tui: {
      showToast: () => answered(true),
      async publish({ body }: { body: unknown }) {
        published.push(body);
        return answered(true);
      },
    },
  };
  return { client: client as unknown as PluginInput["client"], published };
}

async function serve(client: PluginInput["client"], directory = "/projects/demo") {
  const input = { client, directory, worktree: directory, project: { worktree: directory } };
  const hooks = await plugin.server(input as unknown as PluginInput);
  const runtime = shared[RUNNING]?.started.runtime;
  if (runtime === undefined) throw new Error("the plugin does not run");
  const status = (sessionID: string, type: string) =>
    hooks.event?.({ event: { type: "session.status", properties: { sessionID, status: { type } } } as never });
  return { hooks: hooks as Hooks & { dispose(): Promise<void> }, runtime, status };
}

test("the exit command of a session that is not hosted yet ends the terminal once its turn is over", async () => {
  const { client, published } = sdk();
  const { hooks, status } = await serve(client);
  const parts = [{ type: "text", text: "instructions" }];
  const command = { command: "thatch/exit", sessionID: "ses_one", arguments: "" };
  await hooks["command.execute.before"]?.(command, { parts } as never);
  await status("ses_one", "busy");
  await status("ses_one", "idle");
  expect(published).toEqual([{ type: "tui.command.execute", properties: { command: "app.exit" } }]);
});

test("an instance that ends while the store fails hands its sessions on, and takes back the other marks", async () => {
  const first = await serve(sdk().client);
  for (const id of ["ses_one", "ses_two"]) {
    await first.status(id, "busy");
    await first.status(id, "idle");
    await first.status(id, "busy");
  }
  const { runtime } = first;
  const setBusy = runtime.chat.store.setBusy;
  runtime.chat.store.setBusy = (id, until) =>
    id === "ses_one" ? Promise.reject(new Error("disk on fire")) : setBusy(id, until);
  const second = await serve(sdk().client);
  await first.hooks.dispose();
  const sessions = runtime.hosted.all();
  expect(sessions.map(({ turn }) => turn.state)).toEqual(["none", "none"]);
  const servedBy = new Set(sessions.map(({ instance }) => instance));
  expect(servedBy.size).toBe(1);
  expect([...servedBy][0]).not.toBeNull();
  expect((await runtime.chat.store.find("ses_two"))?.busyUntil).toBeNull();
  // What the ended instance still tells changes nothing.
  await first.status("ses_one", "busy");
  await first.hooks["chat.message"]?.({ sessionID: "ses_one" }, {
    message: { id: "msg_1", agent: "build", model: {} },
    parts: [{ type: "text", text: "late" }],
  } as never);
  expect(runtime.hosted.get("ses_one")?.turn.state).not.toBe("running");
  expect(new Set(runtime.hosted.all().map(({ instance }) => instance))).toEqual(servedBy);
  await second.hooks.dispose();
  expect(runtime.hosted.all().map(({ instance }) => instance)).toEqual([null, null]);
});
