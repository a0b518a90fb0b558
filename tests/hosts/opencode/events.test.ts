import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { wakeSession } from "../../../src/hosts/opencode/wake.ts";
import { until } from "../../../testbed/wait.ts";
import { type HostBed, hostBed, IDENTITY } from "./bed.ts";

let bed: HostBed;
beforeEach(() => {
  bed = hostBed();
});
afterEach(() => bed.remove());

/** A registered session that is idle and whose user's agent and model are known. */
async function idleSession(id = "ses_one") {
  bed.addSession(id);
  await bed.status(id, "busy");
  await bed.status(id, "idle");
  const session = bed.runtime.hosted.get(id);
  if (!session) throw new Error(`${id} is not hosted`);
  session.identity = IDENTITY;
  return session;
}

const pendingOf = async (id: string) =>
  (await bed.runtime.chat.store.due([id], Date.now(), bed.runtime.chat.limits)).length > 0;

describe("events", () => {
  test("given twice make one registration and one wake", async () => {
    const session = await idleSession();
    const { name } = session;
    expect((await bed.row("ses_one"))?.name).toBe(name ?? "none");
    bed.startTurns();
    await bed.mail("ses_one", "hello");
    await bed.status("ses_one", "busy");
    const idle = () => bed.event({ type: "session.idle", properties: { sessionID: "ses_one" } });
    await Promise.all([bed.status("ses_one", "idle"), bed.status("ses_one", "idle"), idle(), idle()]);
    expect(bed.client.prompts.length).toBe(1);
    expect((await bed.runtime.chat.store.roster()).filter((row) => row.sessionId === "ses_one").length).toBe(1);
    expect(await pendingOf("ses_one")).toBe(false);
  });

  test("of messages that were taken back hold off the wake, which would delete them, until they are brought back", async () => {
    await idleSession();
    const update = (revert?: { messageID: string }) =>
      bed.event({
        type: "session.updated",
        properties: { info: { id: "ses_one", title: "Work", ...(revert === undefined ? {} : { revert }) } },
      });
    await update({ messageID: "msg_1" });
    bed.startTurns();
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    await bed.runtime.poller.pass();
    expect(bed.client.prompts).toEqual([]);
    expect(await pendingOf("ses_one")).toBe(true);
    await update();
    // It may also be a prompt that does away with them, whose turn comes first: the wake waits for it for a while.
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts).toEqual([]);
    await until("the wake", () => bed.client.prompts.length === 1);
    await until("the delivery", async () => !(await pendingOf("ses_one")));
  });

  test("of a session that is looked up with messages taken back wake it no more than those of one that was seen to", async () => {
    bed.addSession("ses_one", { reverted: true });
    await bed.event({ type: "session.idle", properties: { sessionID: "ses_one" } });
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts).toEqual([]);
  });

  test("wake a session whose user last wrote hundreds of messages ago", async () => {
    bed.addSession("ses_one");
    await bed.event({ type: "session.idle", properties: { sessionID: "ses_one" } });
    const steps = Array.from({ length: 250 }, (_, n) => ({ role: "assistant" as const, text: `step ${n}` }));
    bed.client.answers = [{ role: "user", text: "do much" }, ...steps];
    bed.startTurns();
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts.map(({ identity }) => identity)).toEqual([IDENTITY]);
  });

  test("of an idle that was never busy register the session all the same", async () => {
    bed.addSession("ses_late");
    await bed.event({ type: "session.idle", properties: { sessionID: "ses_late" } });
    expect(await bed.row("ses_late")).toMatchObject({ topic: "Work of ses_late", project: "demo", host: "opencode" });
  });

  test("of a sub-agent's session register nothing, whether its parent is told by an event or has to be asked for", async () => {
    const info = { id: "ses_child", parentID: "ses_one", title: "Look (@general subagent)" };
    await bed.event({ type: "session.created", properties: { info } });
    bed.addSession("ses_asked", { parentId: "ses_one" });
    for (const id of ["ses_child", "ses_asked"]) {
      await bed.status(id, "busy");
      await bed.status(id, "idle");
      expect(await bed.row(id)).toBeNull();
    }
  });

  test("of a deletion win over a registration that waits for the session's title", async () => {
    bed.addSession("ses_doomed");
    bed.client.onSession = async (id) => {
      await bed.event({ type: "session.deleted", properties: { info: { id, title: "Doomed" } } });
    };
    await bed.event({ type: "session.idle", properties: { sessionID: "ses_doomed" } });
    expect(await bed.row("ses_doomed")).toBeNull();
  });

  test("of a new title make it the topic at once, and a placeholder none", async () => {
    await idleSession();
    await bed.event({
      type: "session.updated",
      properties: { info: { id: "ses_one", title: "Fix the\nlogin\u001b[31m" } },
    });
    expect((await bed.row("ses_one"))?.topic).toBe("Fix the login");
    const title = "New session - 2026-01-02T03:04:05.678Z";
    await bed.event({ type: "session.updated", properties: { info: { id: "ses_one", title } } });
    expect((await bed.row("ses_one"))?.topic).toBe("Fix the login");
  });

  test("mark a running turn in the directory, and its end", async () => {
    await idleSession();
    await bed.status("ses_one", "busy");
    expect((await bed.row("ses_one"))?.busyUntil).toBeGreaterThan(Date.now());
    await bed.status("ses_one", "idle");
    expect((await bed.row("ses_one"))?.busyUntil).toBeNull();
  });
});

describe("a wake", () => {
  test("waits for a person's answer, and for a compaction", async () => {
    const session = await idleSession();
    bed.startTurns();
    await bed.event({ type: "permission.asked", properties: { id: "per_1", sessionID: "ses_one" } });
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts).toEqual([]);
    await bed.event({ type: "permission.replied", properties: { requestID: "per_1", sessionID: "ses_one" } });
    session.compacting = true;
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts).toEqual([]);
    await bed.event({ type: "session.compacted", properties: { sessionID: "ses_one" } });
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts.length).toBe(1);
  });

  test("gives the instruction to the model alone and the bubble to the person alone, under the user's agent and model", async () => {
    await idleSession();
    bed.startTurns();
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    const [prompt] = bed.client.prompts;
    expect(prompt).toMatchObject({ id: "ses_one", identity: IDENTITY, noReply: false });
    expect(prompt?.parts).toEqual([
      { type: "text", text: expect.stringContaining("Call thatch_chat_read now."), synthetic: true },
      { type: "text", text: "[chat] 1 message from otter", ignored: true },
    ]);
    expect(bed.client.toasts).toEqual(["[chat] 1 message from otter"]);
  });

  test("that opencode refuses leaves the mail pending and the budget whole", async () => {
    await idleSession();
    bed.client.onPrompt = async () => {
      throw new Error("opencode refused session.promptAsync");
    };
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts.length).toBe(1);
    expect(await pendingOf("ses_one")).toBe(true);
    expect(await bed.runtime.chat.store.wakes("ses_one", Date.now(), bed.runtime.chat.limits)).toEqual([]);
    bed.startTurns();
    await bed.runtime.poller.flush("ses_one");
    expect(await pendingOf("ses_one")).toBe(false);
  });

  const mail = { count: 1, senders: ["otter"] };
  const wake = (session: Awaited<ReturnType<typeof idleSession>>) =>
    wakeSession(session, mail, bed.runtime.hosted, bed.runtime.log, { turnMs: 1, answerMs: 1, wholeMs: 10_000 });

  test("that starts no turn is no delivery", async () => {
    expect(await wake(await idleSession())).toBe("unseen");
    // It was given once more, and no third time.
    expect(bed.client.prompts.length).toBe(2);
  });

  test("that opencode takes and no turn begins for is given once more at once, and not after the poll", async () => {
    const session = await idleSession();
    bed.client.onPrompt = async () => bed.startTurns();
    expect(await wake(session)).toBe("started");
    expect(bed.client.prompts.length).toBe(2);
  });

  test("that came at the end of another turn and was passed over is given once more", async () => {
    const session = await idleSession();
    const passOver = async () => {
      await bed.status("ses_one", "busy");
      await bed.status("ses_one", "idle");
    };
    bed.client.onPrompt = async () => {
      await passOver();
      bed.startTurns();
    };
    expect(await wake(session)).toBe("started");
    expect(bed.client.prompts.length).toBe(2);
    bed.client.onPrompt = passOver;
    session.turn.ended();
    expect(await wake(session)).toBe("unseen");
    expect(bed.client.prompts.length).toBe(4);
  });

  test("is not taken up by an answer that began before it", async () => {
    const session = await idleSession();
    bed.client.onPrompt = async ({ parts }) => {
      bed.runtime.hosted.wakeStored(session, parts[0]?.text ?? "", "msg_5");
      await bed.answer("ses_one", "msg_4");
    };
    expect(await wake(session)).toBe("unseen");
    bed.client.onPrompt = async ({ parts }) => {
      bed.runtime.hosted.wakeStored(session, parts[0]?.text ?? "", "msg_6");
      await bed.answer("ses_one", "msg_7");
    };
    expect(await wake(session)).toBe("started");
  });

  test("without any message of the session's user is not sent, since it would move the session to another agent", async () => {
    const session = await idleSession();
    session.identity = null;
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts).toEqual([]);
    expect(await pendingOf("ses_one")).toBe(true);
  });

  test("takes agent and model from the transcript after a restart", async () => {
    const session = await idleSession();
    session.identity = null;
    bed.client.answers = [
      { role: "user", text: "please do" },
      { role: "assistant", text: "done" },
    ];
    bed.startTurns();
    await bed.mail("ses_one", "hello");
    await bed.runtime.poller.flush("ses_one");
    expect(bed.client.prompts[0]?.identity).toEqual(IDENTITY);
  });
});

describe("with chat off", () => {
  test("events are followed and nothing is written", async () => {
    const off = hostBed({ chat: { enabled: false } });
    try {
      off.addSession("ses_one");
      await off.status("ses_one", "busy");
      await off.status("ses_one", "idle");
      await off.event({ type: "session.deleted", properties: { info: { id: "ses_one", title: "x" } } });
      expect(await Bun.file(off.runtime.settings.databaseFile).exists()).toBe(false);
    } finally {
      off.remove();
    }
  });
});
