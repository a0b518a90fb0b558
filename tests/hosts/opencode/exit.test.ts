import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { contained } from "../../../src/hosts/opencode/contained.ts";
import { beginExit } from "../../../src/hosts/opencode/exit.ts";
import { exitBubble, exitOthersAtWork, exitRefused, exitUnread } from "../../../src/text/exit.ts";
import { until } from "../../../testbed/wait.ts";
import { type HostBed, hostBed } from "./bed.ts";

let bed: HostBed;
beforeEach(() => {
  bed = hostBed();
});
afterEach(() => bed.remove());

const ID = "ses_one";

async function begin() {
  beginExit(bed.runtime, ID, [{ type: "text", text: "instructions" }]);
  await bed.message(ID, [
    { type: "text", text: "instructions", synthetic: true },
    { type: "text", text: exitBubble(), ignored: true },
  ]);
  bed.client.answers.push({ role: "user", text: exitBubble() });
}

async function answer(text = "THATCH-EXIT-READY") {
  // As the plugin hands on events: what one of them throws keeps none of the next ones back.
  await contained(bed.runtime.log, "event", () => bed.status(ID, "busy"))();
  await bed.answer(ID);
  bed.client.answers.push({ role: "assistant", text });
  await bed.status(ID, "idle");
}

async function registered() {
  bed.addSession(ID);
  await bed.message(ID, [{ type: "text", text: "hello" }]);
  await answer("hello");
}

const broken = () => Promise.reject(new Error("disk on fire"));

describe("an exit that the model reported done ends the terminal", () => {
  for (const operations of [
    ["setBusy"],
    ["register"],
    ["leave"],
    ["setBusy", "register", "leave", "due", "takeWake"],
  ] as const) {
    test(`with a store that fails at ${operations.join(", ")}`, async () => {
      await registered();
      for (const operation of operations) bed.runtime.chat.store[operation] = broken;
      await begin();
      await answer();
      expect(bed.client.exits).toBe(1);
    });
  }

  test("of a session that was not hosted when the command was given", async () => {
    bed.addSession(ID);
    await begin();
    expect(bed.runtime.hosted.get(ID)).toBeUndefined();
    await answer();
    expect(bed.client.exits).toBe(1);
  });

  test("with chat switched off meanwhile, when nothing is written", async () => {
    await registered();
    await begin();
    await Bun.write(`${bed.folder}/config.json`, JSON.stringify({ chat: { enabled: false } }));
    await answer();
    expect(bed.client.exits).toBe(1);
    expect(await bed.row(ID)).not.toBeNull();
  });

  test("and not at the end of the turn before, which opencode tells of twice", async () => {
    await registered();
    await bed.status(ID, "busy");
    await begin();
    await bed.status(ID, "idle");
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    expect([bed.client.exits, bed.client.toasts]).toEqual([0, []]);
    await answer();
    expect([bed.client.exits, bed.client.toasts]).toEqual([1, []]);
  });

  test("and not when the turn before is told of once more, before the command's message is there", async () => {
    await registered();
    bed.client.answers.push({ role: "user", text: exitBubble() }, { role: "assistant", text: "THATCH-EXIT-READY" });
    beginExit(bed.runtime, ID, []);
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    expect([bed.client.exits, bed.client.toasts]).toEqual([0, []]);
  });

  test("once: the turns after a refusal are turns like others", async () => {
    await registered();
    await begin();
    await answer("Half the work is unsaved.");
    await answer();
    expect([bed.client.exits, bed.client.toasts]).toEqual([0, [exitRefused()]]);
    expect((await bed.row(ID))?.sessionId).toBe(ID);
  });
});

describe("the terminal stays open, and says so,", () => {
  for (const state of ["running", "expected"] as const) {
    test(`while the turn of another session in it is ${state}`, async () => {
      await registered();
      bed.addSession("ses_two");
      await bed.message("ses_two", [{ type: "text", text: "build it" }]);
      if (state === "running") await bed.status("ses_two", "busy");
      await begin();
      await answer();
      expect([bed.client.exits, bed.client.toasts]).toEqual([0, [exitOthersAtWork()]]);
      expect(await bed.row(ID)).toBeNull();
    });
  }

  test("when the model's answer cannot be read; mail is delivered all the same", async () => {
    await registered();
    await begin();
    bed.client.transcript = () => Promise.reject(new Error("opencode did not answer session.messages"));
    await bed.mail(ID, "news");
    await answer();
    expect(bed.client.exits).toBe(0);
    expect(bed.client.toasts[0]).toBe(exitUnread());
    await until("the wake", () => bed.client.prompts.length > 0);
  });
});

test("a toast that fails keeps no mail back", async () => {
  await registered();
  await begin();
  bed.client.toast = () => Promise.reject(new Error("no terminal"));
  await bed.mail(ID, "news");
  await answer("not yet");
  await until("the wake", () => bed.client.prompts.length > 0);
});
