import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hostContinued } from "../../../src/hosts/opencode/startup.ts";
import { until } from "../../../testbed/wait.ts";
import { type HostBed, hostBed } from "./bed.ts";

let bed: HostBed;
beforeEach(() => {
  bed = hostBed();
  bed.startTurns();
});
afterEach(() => bed.remove());

const ID = "ses_one";
const USER_TEXT = [{ type: "text", text: "hello" }];
const sessionOf = (id = ID) => bed.runtime.hosted.get(id) ?? fail(id);
const idle = () => bed.status(ID, "idle");
const busy = () => bed.status(ID, "busy");
const wakes = () => bed.client.prompts.filter(({ noReply }) => !noReply).length;
const continued = () => hostContinued(bed.runtime, bed.instance, { kind: "session", id: ID });

/** A registered session that is idle, in which a user's message was answered. */
async function idleSession() {
  bed.addSession(ID);
  await bed.message(ID, USER_TEXT);
  await busy();
  await bed.answer(ID);
  await idle();
  return sessionOf();
}

describe("what opencode answers when it is asked about a turn", () => {
  test("is no news any more when the turn's end came before the answer", async () => {
    bed.addSession(ID);
    bed.client.onIsBusy = async () => {
      await busy();
      await idle();
      return true;
    };
    await continued();
    expect(sessionOf().turn.state).toBe("none");
    bed.client.answers = [{ role: "user", text: "hello" }];
    await bed.mail(ID, "hello");
    await bed.runtime.poller.flush(ID);
    expect(wakes()).toBe(1);
  });

  test("nor when a turn began before it", async () => {
    bed.addSession(ID);
    bed.client.onIsBusy = async () => {
      await busy();
      return false;
    };
    await continued();
    expect(sessionOf().turn.state).toBe("running");
  });

  test("counts where no event told", async () => {
    bed.addSession(ID);
    bed.client.onIsBusy = async () => true;
    await continued();
    expect(sessionOf().turn.state).toBe("running");
    await idle();
    expect(sessionOf().turn.state).toBe("none");
  });

  test("leaves what was taken back as the event told that came while the session was looked up", async () => {
    bed.addSession(ID, { reverted: true });
    const session = bed.client.sessions.get(ID) ?? null;
    const heard: Promise<void>[] = [];
    bed.client.session = async () => {
      await Promise.resolve();
      heard.push(bed.event({ type: "session.updated", properties: { info: { id: ID, title: "Work" } } }));
      return session;
    };
    await continued();
    await Promise.all(heard);
    expect(heard).toHaveLength(1);
    expect(sessionOf().reverted).toBe(false);
  });
});

describe("no wake comes between a user's message and its answer", () => {
  test("also when the message is what hosts and registers the session, which has mail", async () => {
    bed.addSession(ID);
    await bed.runtime.chat.store.register(
      {
        ...bed.runtime.registrar.describe(bed.runtime.hosted.host(bed.addSession("ses_two"), bed.instance)),
        sessionId: ID,
      },
      { base: "ada", at: Date.now(), tombstone: "respect" },
    );
    await bed.mail(ID, "hello");
    await bed.message(ID, USER_TEXT);
    await bed.runtime.poller.pass();
    await bed.runtime.poller.flush(ID);
    expect([sessionOf().turn.state, wakes()]).toEqual(["expected", 0]);
    await busy();
    await bed.answer(ID);
    await idle();
    expect(wakes()).toBe(1);
  });

  test("also when it comes at the end of another turn", async () => {
    await idleSession();
    await busy();
    await bed.mail(ID, "hello");
    await bed.message(ID, USER_TEXT);
    // The turn that ends did not answer it, and opencode tells of the end twice.
    await idle();
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    await bed.runtime.poller.pass();
    expect([sessionOf().turn.state, wakes()]).toEqual(["expected", 0]);
    await busy();
    await bed.answer(ID);
    await idle();
    expect(wakes()).toBe(1);
  });

  test("also when it comes while the wake looks for its agent", async () => {
    const session = await idleSession();
    session.identity = null;
    await bed.mail(ID, "hello");
    const transcript = bed.client.transcript.bind(bed.client);
    bed.client.answers = [{ role: "user", text: "hello" }];
    bed.client.transcript = async (...args) => {
      await bed.message(ID, USER_TEXT);
      return transcript(...args);
    };
    await bed.runtime.poller.flush(ID);
    expect(wakes()).toBe(0);
    expect(await bed.runtime.chat.store.wakes(ID, Date.now(), bed.runtime.chat.limits)).toEqual([]);
  });

  test("also when the turn before is told of once more while a command is made a message", async () => {
    const session = await idleSession();
    await bed.mail(ID, "hello");
    session.turn.prompted();
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    await bed.runtime.poller.flush(ID);
    expect([session.turn.state, wakes()]).toEqual(["expected", 0]);
  });

  test("and one that was cancelled holds the wake up for a moment only", async () => {
    await idleSession();
    await bed.mail(ID, "hello");
    await bed.message(ID, USER_TEXT);
    await bed.runtime.poller.flush(ID);
    expect(wakes()).toBe(0);
    // No event follows, and the poll is half a minute away.
    await until("the wake", () => wakes() === 1, 10_000);
  });

  test("while thatch's own bubbles and wakes hold nothing up", async () => {
    await idleSession();
    await bed.message(ID, [{ type: "text", text: "[chat] ada → brook #1: hi", ignored: true }]);
    expect(sessionOf().turn.state).toBe("none");
    const states: string[] = [];
    const start = bed.client.onPrompt;
    bed.client.onPrompt = async (prompt) => {
      await bed.message(ID, prompt.parts);
      states.push(sessionOf().turn.state);
      await start(prompt);
    };
    await bed.mail(ID, "hello");
    await bed.runtime.poller.flush(ID);
    expect(states).toEqual(["none"]);
  });
});

describe("the mark of a running turn", () => {
  test("of another process stays, where none ran here", async () => {
    const session = await idleSession();
    session.name = null;
    const { store } = bed.runtime.chat;
    const until = Date.now() + 60_000;
    await store.setBusy(ID, until);
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    expect((await bed.row(ID))?.busyUntil).toBe(until);
  });

  test("that the store did not take back is taken back at the next occasion", async () => {
    const session = await idleSession();
    await busy();
    const { store } = bed.runtime.chat;
    const setBusy = store.setBusy;
    store.setBusy = () => Promise.reject(new Error("disk on fire"));
    await idle();
    expect((await bed.row(ID))?.busyUntil).not.toBeNull();
    store.setBusy = setBusy;
    session.name = null;
    await bed.event({ type: "session.idle", properties: { sessionID: ID } });
    expect((await bed.row(ID))?.busyUntil).toBeNull();
  });
});

test("a tool call tells that a turn runs", async () => {
  bed.addSession(ID);
  const session = await bed.runtime.registrar.resolve(bed.instance, ID);
  expect(session?.turn.state).toBe("unknown");
  const { opencodeTools } = await import("../../../src/hosts/opencode/tools.ts");
  await opencodeTools(bed.runtime, bed.instance).thatch_chat_status?.execute({}, { sessionID: ID } as never);
  expect(session?.turn.state).toBe("running");
});

function fail(id: string): never {
  throw new Error(`${id} is not hosted`);
}

test("a rested process is not started by what reads the config late, and is by the next instance", async () => {
  await idleSession();
  bed.started.pause();
  bed.runtime.config();
  await bed.mail(ID, "hello");
  await bed.runtime.poller.pass();
  await bed.runtime.poller.flush(ID);
  expect(wakes()).toBe(0);
  bed.started.resume();
  bed.runtime.config();
  await bed.runtime.poller.flush(ID);
  expect(wakes()).toBe(1);
});
