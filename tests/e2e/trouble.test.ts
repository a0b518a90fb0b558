import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, queue, whenResultOf } from "../../testbed/script.ts";
import { until } from "../../testbed/wait.ts";
import { Bed, isWake, joinSession } from "./bed.ts";

const TIMEOUT = 90_000;
let bed: Bed;
beforeEach(async () => {
  bed = await Bed.open();
});
afterEach(() => bed.close(), TIMEOUT);

/** Starts a server with this setting of thatch, gives a session one prompt, and has its model look into its mailbox. */
async function promptUnder(env: Record<string, string>) {
  const home = await bed.home("one", { env });
  const serve = await bed.serve(home);
  const { id } = await serve.client.createSession();
  await serve.client.prompt(id, "hello");
  bed.model.script("one", queue([{ reply: call("thatch_chat_status") }]));
  await serve.client.prompt(id, "look");
  return { serve, id, first: bed.model.turns("one")[0], last: bed.model.turns("one").at(-1) };
}

describe("a person's prompt reaches the model", () => {
  test(
    "with a database that is no database, and the file stays as it is",
    async () => {
      writeFileSync(bed.databasePath, "this is not a database, but somebody's file\n".repeat(100));
      const before = await Bun.file(bed.databasePath).text();
      const { last } = await promptUnder({});
      expect(last?.toolResults.at(-1)?.text).toContain(`The database ${bed.databasePath} cannot be used`);
      expect(await Bun.file(bed.databasePath).text()).toBe(before);
    },
    TIMEOUT,
  );

  test(
    "with a database that cannot be made",
    async () => {
      writeFileSync(join(bed.folder, "file"), "");
      const path = join(bed.folder, "file", "thatch.db");
      const { last } = await promptUnder({ THATCH_DB_PATH: path });
      expect(last?.toolResults.at(-1)?.text).toContain(`The database ${path} cannot be used`);
    },
    TIMEOUT,
  );

  test(
    "with a database of a newer thatch, which stays as it is",
    async () => {
      const home = await bed.home("maker");
      const maker = await bed.serve(home);
      await joinSession(bed, maker);
      await maker.stop();
      bed.write("PRAGMA user_version = 9999");
      const { last } = await promptUnder({});
      expect(last?.toolResults.at(-1)?.text).toContain("has schema 9999, newer than this thatch knows");
      expect(bed.rows("PRAGMA user_version")[0]?.user_version).toBe(9999);
    },
    TIMEOUT,
  );

  test(
    "with a config that is no JSON: the defaults hold",
    async () => {
      const config = join(bed.folder, "config.json");
      writeFileSync(config, "{ chat: ");
      const { last, id } = await promptUnder({ THATCH_CONFIG_PATH: config });
      expect(last?.toolResults.at(-1)?.text).toContain(`Registered as ${await bed.nameOf(id)}.`);
    },
    TIMEOUT,
  );

  test(
    "with a debug log that cannot be written",
    async () => {
      const { last, id } = await promptUnder({
        THATCH_DEBUG: "/proc/none/debug.log",
        THATCH_CHAT_POLL_SECONDS: "soon",
      });
      expect(last?.toolResults.at(-1)?.text).toContain(`Registered as ${await bed.nameOf(id)}.`);
    },
    TIMEOUT,
  );
});

describe("chat that is switched off", () => {
  test(
    "shows nowhere, and its tools are on again as soon as the config says so",
    async () => {
      const config = join(bed.folder, "config.json");
      writeFileSync(config, '{"chat": {"enabled": false}}');
      const home = await bed.home("one", { env: { THATCH_CONFIG_PATH: config } });
      const serve = await bed.serve(home);
      const { id } = await serve.client.createSession();
      await serve.client.prompt(id, "hello");
      for (const request of bed.model.requests) {
        expect(request.system).not.toContain("Cross-session chat");
        expect(request.system).not.toContain("thatch_");
        expect(request.tools.map((tool) => tool.function.name).filter((name) => name.includes("thatch"))).toEqual([]);
      }
      expect(await Bun.file(bed.databasePath).exists()).toBe(false);

      writeFileSync(config, '{"chat": {"enabled": true}}');
      bed.model.script("one", queue([{ reply: call("thatch_chat_status") }]));
      await serve.client.prompt(id, "look");
      const on = bed.model.turns("one").at(-1);
      expect(on?.toolResults.at(-1)?.text).toContain(`Registered as ${await bed.nameOf(id)}.`);
    },
    TIMEOUT,
  );

  test(
    "answers a model that calls its tools in a turn that began before",
    async () => {
      const config = join(bed.folder, "config.json");
      writeFileSync(config, "{}");
      const home = await bed.home("one", { env: { THATCH_CONFIG_PATH: config } });
      const serve = await bed.serve(home);
      const { id } = await joinSession(bed, serve);
      const verbs = ["register", "list", "send", "read", "unregister", "broadcast", "status"];
      const args: Record<string, Record<string, unknown>> = { send: { to: "x", body: "y" }, broadcast: { body: "y" } };
      bed.model.script(
        "one",
        queue([
          {
            reply: () => {
              writeFileSync(config, '{"chat": {"enabled": false}}');
              return { tools: verbs.map((verb) => ({ name: `thatch_chat_${verb}`, args: args[verb] ?? {} })) };
            },
          },
        ]),
      );
      await serve.client.prompt(id, "use them all");
      const answers = bed.model.turns("one").at(-1)?.toolResults.slice(-verbs.length) ?? [];
      expect(answers.map((answer) => answer.text)).toEqual(
        verbs.map(() => expect.stringMatching(/^\[disabled\] .*"enabled": false.*config\.json/)),
      );
    },
    TIMEOUT,
  );

  test(
    "with automatic registration off, a session joins when it asks to",
    async () => {
      const config = join(bed.folder, "config.json");
      writeFileSync(config, '{"chat": {"autoRegister": false}}');
      const home = await bed.home("one", { env: { THATCH_CONFIG_PATH: config } });
      const serve = await bed.serve(home);
      const { id } = await serve.client.createSession();
      await serve.client.prompt(id, "hello");
      expect(bed.session(id)).toBeUndefined();
      bed.model.script("one", queue([{ reply: call("thatch_chat_register") }]));
      await serve.client.prompt(id, "join");
      expect(bed.model.turns("one").at(-1)?.toolResults.at(-1)?.text).toContain(
        `You joined as ${await bed.nameOf(id)}.`,
      );
    },
    TIMEOUT,
  );
});

describe("two entries of thatch in one opencode", () => {
  const plugin = join(import.meta.dir, "..", "..", "dist", "opencode.js");

  async function doNothingTwice(entries: string[]): Promise<void> {
    const home = await bed.home("one", { plugins: entries.map((entry) => `file://${entry}`) });
    const serve = await bed.serve(home);
    const { id } = await joinSession(bed, serve);
    expect(bed.model.turns("one")[0]?.system.split("## Cross-session chat").length).toBe(2);
    bed.model.script("one", queue([{ when: isWake, reply: call("thatch_chat_read") }]));
    bed.mail(id, "once");
    await bed.model.waitFor("one", whenResultOf("thatch_chat_read", /once/));
    await until("it to be idle", () => serve.client.isIdle(id));
    expect(bed.model.turns("one").filter(isWake).length).toBe(1);
    const bubbles = (await serve.client.messages(id)).flatMap(({ parts }) => parts).filter((part) => part.ignored);
    expect(bubbles.map((part) => part.text?.slice(0, 6))).toEqual(["[chat]", "[chat]"]);
    expect(await bed.debugLog("one")).toContain("thatch is set up twice");
  }

  test(
    "that are two copies of it do nothing twice",
    async () => {
      const copy = join(bed.folder, "copy", "opencode.js");
      mkdirSync(join(bed.folder, "copy"));
      await Bun.write(copy, Bun.file(plugin));
      await doNothingTwice([plugin, copy]);
    },
    TIMEOUT,
  );

  test(
    "that are one file under two names do nothing twice",
    async () => {
      await doNothingTwice([join(plugin, "..", ".."), plugin]);
    },
    TIMEOUT,
  );
});
