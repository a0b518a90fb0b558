import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Model, startModel } from "../../testbed/model.ts";
import { type Home, makeHome, startRun, startServe, startTui } from "../../testbed/opencode.ts";
import { isAlive } from "../../testbed/process.ts";
import { call, held, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import { until, within } from "../../testbed/wait.ts";

/** A cold opencode on a machine with other work needs several times what it needs alone. */
const TIMEOUT_MS = 120_000;

let model: Model;
const homes: Home[] = [];
const pids: number[] = [];

beforeAll(async () => {
  model = await startModel();
});

afterAll(async () => {
  for (const home of homes) await home.remove();
  await model.stop();
  expect(pids.filter(isAlive)).toEqual([]);
  expect(homes.filter((home) => existsSync(home.root))).toEqual([]);
  expect(model.takeFaults()).toEqual([]);
});

async function homeOf(who: string): Promise<Home> {
  const home = await makeHome({ modelUrl: model.url(who) });
  homes.push(home);
  return home;
}

test(
  "serve runs a scripted turn with a tool call, and titles the session",
  async () => {
    const home = await homeOf("serve");
    model.title("serve", "Counting the beans");
    const script = queue([
      { when: whenSays(/how many beans/), reply: call("bash", { command: "echo 42 beans", description: "Count" }) },
      { when: whenResultOf("bash", /42 beans/), reply: { text: "There are 42 beans." } },
    ]);
    model.script("serve", script);
    const serve = await startServe(home);
    pids.push(serve.pid);
    try {
      const { id } = await serve.client.createSession();
      const answer = await serve.client.prompt(id, "how many beans are there?");
      expect(answer.parts.filter((part) => part.type === "text").map((part) => part.text)).toEqual([
        "There are 42 beans.",
      ]);
      expect(script.unused).toEqual([]);
      expect(model.turns("serve").map((request) => request.toolResults)).toEqual([
        [],
        [{ tool: "bash", text: "42 beans\n" }],
      ]);
      const title = async () => (await serve.client.get(id)).title;
      await until("the title", async () => (await title()) === "Counting the beans");
      await until("the session to be idle", () => serve.client.isIdle(id));
    } finally {
      await serve.stop();
    }
  },
  TIMEOUT_MS,
);

test(
  "a held answer keeps the session busy, a refused one ends the turn, and events tell of both",
  async () => {
    const home = await homeOf("held");
    const answer = held({ text: "At last." });
    model.script("held", queue([{ reply: answer.reply }, { when: whenSays(/fail/), reply: { error: 400 } }]));
    const serve = await startServe(home);
    pids.push(serve.pid);
    const seen: string[] = [];
    try {
      const events = await serve.client.events((event) => seen.push(event.type));
      const { id } = await serve.client.createSession();
      await serve.client.promptAsync(id, "take your time");
      await within("the model to be asked", answer.asked);
      expect((await serve.client.status())[id]).toEqual({ type: "busy" });
      expect(seen).not.toContain("session.idle");
      answer.release();
      await until("the idle event", () => seen.includes("session.idle"));
      expect((await serve.client.messages(id)).at(-1)?.parts.find((part) => part.type === "text")?.text).toBe(
        "At last.",
      );
      const failed = await serve.client.prompt(id, "please fail");
      expect(failed.info.error).toMatchObject({ name: "APIError" });
      await until("the error event", () => seen.includes("session.error"));
      await serve.kill9();
      await until("the end of the event stream", () => seen.includes("testbed.stream.ended"));
      events.stop();
    } finally {
      await serve.kill9();
    }
  },
  TIMEOUT_MS,
);

test("the model answers without streaming too, and names a request it cannot read", async () => {
  model.script("plain", () => ({ text: "Whole." }));
  const ask = (body: unknown) =>
    fetch(`${model.url("plain")}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
  const answer = await ask({ model: "scripted", messages: [{ role: "user", content: "hi" }] });
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { role: "assistant", content: "Whole." }, finish_reason: "stop" }],
  });
  expect((await ask({ model: "scripted" })).status).toBe(400);
  expect(model.takeFaults()).toEqual(['Error: Not a chat completion request: {"model":"scripted"}']);
});

test(
  "run answers the prompt on its stdin and exits",
  async () => {
    const home = await homeOf("run");
    model.script("run", queue([{ when: whenSays(/say hello/), reply: { text: "Hello from the script." } }]));
    const run = startRun(home, { prompt: "say hello" });
    pids.push(run.pid);
    try {
      expect(await run.exited(60_000)).toBe(0);
      expect(run.stdout).toContain("Hello from the script.");
    } finally {
      await run.stop();
    }
  },
  TIMEOUT_MS,
);

test(
  "the terminal takes typed text and shows the scripted answer",
  async () => {
    const home = await homeOf("tui");
    model.script("tui", queue([{ when: whenSays(/typed by hand/), reply: { text: "Seen on the screen." } }]));
    const tui = await startTui(home);
    pids.push(tui.pid);
    try {
      await tui.type("typed by hand");
      await tui.key("Enter");
      await tui.waitForScreen(/Seen on the screen\./);
      expect((await model.waitFor("tui", whenSays(/typed/))).lastUserText).toBe("typed by hand");
    } finally {
      await tui.stop();
    }
  },
  TIMEOUT_MS,
);
