import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Home } from "../../testbed/home.ts";
import { startRun } from "../../testbed/run.ts";
import { call, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import { startServe } from "../../testbed/serve.ts";
import { startTui, type Tui } from "../../testbed/tui.ts";
import { until } from "../../testbed/wait.ts";
import { Bed, isWake, type Joined, joinSession, wakesOf } from "./bed.ts";

const TIMEOUT = 120_000;
let bed: Bed;
let home: Home;
let ada: Joined;

beforeAll(async () => {
  bed = await Bed.open();
  home = await bed.home("one");
  // A closed session with a name: it had one prompt in a server that is gone.
  const serve = await startServe(home);
  try {
    const { id } = await serve.client.createSession();
    await serve.client.prompt(id, "hello");
    ada = { id, name: await bed.nameOf(id) };
    await until("it to be idle", () => serve.client.isIdle(id));
  } finally {
    await serve.stop();
  }
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

/** Opens the session in a terminal, waits until it was woken for the mail, and closes the terminal. */
async function wokenInTerminal(args: readonly string[], body: string): Promise<void> {
  bed.mail(ada.id, body);
  bed.model.script("one", queue([{ when: isWake, reply: call("thatch_chat_read") }]));
  const before = wakesOf(bed, "one");
  const tui = await startTui(home, { args });
  try {
    await bed.model.waitFor("one", whenResultOf("thatch_chat_read", new RegExp(body)), 30_000);
    await tui.waitForScreen(/\[chat\] \(left\) → /);
    await until("the end of the turn", () => bed.session(ada.id)?.busy_until === null);
  } finally {
    await tui.stop();
  }
  expect(wakesOf(bed, "one")).toBe(before + 1);
  expect(bed.session(ada.id)?.name).toBe(ada.name);
  expect(bed.messages().find((row) => row.body === body)?.read_at).not.toBeNull();
}

describe("a session that is opened again", () => {
  test(
    "by --session keeps its name and is woken for what came meanwhile",
    async () => {
      await wokenInTerminal(["-s", ada.id], "asleep by id");
    },
    TIMEOUT,
  );

  test(
    "by --continue too",
    async () => {
      await wokenInTerminal(["-c"], "asleep by continue");
    },
    TIMEOUT,
  );

  test(
    "in two terminals at once is woken once",
    async () => {
      bed.model.script("one", queue([{ when: isWake, reply: call("thatch_chat_read") }]));
      const before = wakesOf(bed, "one");
      const tuis: Tui[] = [];
      try {
        for (let n = 0; n < 2; n++) tuis.push(await startTui(home, { args: ["-s", ada.id] }));
        await until(
          "both to host it",
          async () => (await bed.debugLog("one")).split(`${ada.id} is continued as`).length >= 4,
        );
        bed.mail(ada.id, "for two terminals");
        await bed.model.waitFor("one", whenResultOf("thatch_chat_read", /for two terminals/), 30_000);
        await until("the end of the turn", () => bed.session(ada.id)?.busy_until === null);
      } finally {
        for (const tui of tuis) await tui.stop();
      }
      expect(wakesOf(bed, "one")).toBe(before + 1);
      expect(bed.rows("SELECT * FROM chat_nudges WHERE recipient_id = ?", ada.id).length).toBe(3);
    },
    TIMEOUT,
  );

  test(
    "by `opencode run` is not woken, since the process ends; its mail stays pending",
    async () => {
      bed.model.script(
        "one",
        queue([{ when: whenSays(/wait/), reply: call("bash", { command: "true", description: "wait" }) }]),
      );
      bed.mail(ada.id, "for the run");
      const before = wakesOf(bed, "one");
      const run = startRun(home, { prompt: "wait a moment", args: ["-s", ada.id] });
      expect(await run.exited(60_000)).toBe(0);
      expect(wakesOf(bed, "one")).toBe(before);
      expect(bed.session(ada.id)).toMatchObject({ host_mode: "run", name: ada.name });
      expect(bed.messages().find((row) => row.body === "for the run")).toMatchObject({
        delivered_at: null,
        read_at: null,
      });
      // It heard of the mail within its turn all the same.
      const told = await bed.model.waitFor("one", whenResultOf("bash", /\[thatch\] 1 new message from \(left\)/));
      expect(told.messages.filter((message) => message.role === "user").length).toBeGreaterThan(0);
    },
    TIMEOUT,
  );
});

describe("the first prompt after a restart of a server, with mail pending,", () => {
  test(
    "is answered before the session is woken",
    async () => {
      const first = await startServe(home);
      const joined = await joinSession(bed, first).finally(() => first.stop());
      for (let round = 1; round <= 3; round++) {
        bed.mail(joined.id, `asleep in round ${round}`);
        bed.model.script("one", queue([{ when: isWake, reply: call("thatch_chat_read") }]));
        const serve = await startServe(home);
        try {
          await serve.client.prompt(joined.id, `round ${round}`);
          await bed.model.waitFor("one", whenResultOf("thatch_chat_read", new RegExp(`in round ${round}`)), 30_000);
          await until("the end of the wake's turn", () => serve.client.isIdle(joined.id));
          const messages = await serve.client.messages(joined.id);
          const prompt = messages.findIndex(({ parts }) => parts.some(({ text }) => text === `round ${round}`));
          expect(messages.slice(prompt, prompt + 2).map(({ info }) => info.role)).toEqual(["user", "assistant"]);
        } finally {
          await serve.stop();
        }
      }
    },
    TIMEOUT,
  );
});

describe("the exit command", () => {
  test(
    "closes the terminal only once the model reports that it is done",
    async () => {
      bed.model.script(
        "one",
        queue([
          { when: whenSays(/Clear your desk/), reply: { text: "Half the work is unsaved." } },
          { when: whenSays(/Clear your desk/), reply: call("thatch_chat_read") },
          { when: whenResultOf("thatch_chat_read"), reply: call("thatch_chat_unregister") },
          { when: whenResultOf("thatch_chat_unregister"), reply: { text: "All is done.\nTHATCH-EXIT-READY" } },
        ]),
      );
      const tui = await startTui(home, { args: ["-s", ada.id] });
      try {
        await tui.waitForScreen(/Done\./);
        await runExit(tui);
        await tui.waitForScreen(/Half the work is unsaved/);
        await tui.waitForScreen(/stays open/);
        expect(bed.session(ada.id)).toBeDefined();
        await runExit(tui);
        await tui.exited(30_000);
      } finally {
        await tui.stop();
      }
      expect(bed.session(ada.id)).toBeUndefined();
      expect(bed.rows("SELECT * FROM chat_leave_tombstones WHERE session_id = ?", ada.id)).toHaveLength(1);
    },
    TIMEOUT,
  );
});

async function runExit(tui: Tui): Promise<void> {
  await tui.type("/thatch/exit");
  await tui.waitForScreen(/leave the chat directory/);
  // The first Enter completes the command's name, the second runs it.
  await tui.key("Enter");
  await until("the list of commands to close", async () => !/leave the chat directory/.test(await tui.screen()));
  await tui.key("Enter");
}
