import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { broadcast } from "../../src/chat/broadcast.ts";
import { leave } from "../../src/chat/leave.ts";
import { read } from "../../src/chat/read.ts";
import { registerAutomatically, registerExplicitly } from "../../src/chat/register.ts";
import { send } from "../../src/chat/send.ts";
import { ChatError, type ChatFailure } from "../../src/core/errors.ts";
import type { Session } from "../../src/core/session.ts";
import { LIMITS, MINUTE, newSession, testChat } from "../support/chat.ts";

let bed: ReturnType<typeof testChat>;
let ada: Session;
let brook: Session;
beforeEach(async () => {
  bed = testChat();
  ada = (await registerExplicitly(bed.chat, newSession("ses_ada00000"))).session;
  brook = (await registerExplicitly(bed.chat, newSession("ses_brook000"))).session;
});
afterEach(() => bed.remove());

async function failureOf(attempt: Promise<unknown>): Promise<ChatFailure> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof ChatError) return error.failure;
    throw error;
  }
  throw new Error("nothing failed");
}
function letter(to: string, more: { body?: string; replyTo?: number; senderId?: string } = {}) {
  return { senderId: ada.sessionId, to, body: "hello", replyTo: null, ...more };
}

describe("sending", () => {
  test("finds the recipient by name in any case, by id, and by the start of its id", async () => {
    for (const to of [
      brook.name,
      brook.name.toUpperCase(),
      `@${brook.name}`,
      ` ${brook.name} `,
      "ses_brook000",
      "ses_broo",
    ]) {
      const { recipient, message } = await send(bed.chat, letter(to));
      expect(recipient.sessionId).toBe("ses_brook000");
      expect(message).toMatchObject({
        senderId: "ses_ada00000",
        recipientId: "ses_brook000",
        body: "hello",
        readAt: null,
      });
    }
  });

  test("tells an unknown recipient from one that left, and offers the nearest names", async () => {
    const wrong = `${brook.name}x`;
    expect(await failureOf(send(bed.chat, letter(wrong)))).toEqual({
      code: "unknown-recipient",
      recipient: wrong,
      nearest: [brook.name],
    });
    await leave(bed.chat, brook.sessionId);
    expect(await failureOf(send(bed.chat, letter(brook.name)))).toEqual({
      code: "departed-recipient",
      recipient: brook.name,
    });
  });

  test("refuses a start of an id that fits several sessions", async () => {
    await registerExplicitly(bed.chat, newSession("ses_brook111"));
    const failure = await failureOf(send(bed.chat, letter("ses_brook")));
    expect(failure).toMatchObject({ code: "ambiguous-recipient", recipient: "ses_brook" });
  });

  test("refuses itself, the unregistered, and bodies that cannot be stored as they are", async () => {
    expect(await failureOf(send(bed.chat, letter(ada.name)))).toEqual({ code: "self-recipient", name: ada.name });
    expect(await failureOf(send(bed.chat, letter(brook.name, { senderId: "ses_nobody" })))).toEqual({
      code: "not-registered",
    });
    expect(await failureOf(send(bed.chat, letter(brook.name, { body: " \n" })))).toEqual({ code: "empty-body" });
    expect(await failureOf(send(bed.chat, letter(brook.name, { body: "a\ud800b" })))).toEqual({
      code: "malformed-body",
      index: 1,
    });
    expect(await failureOf(send(bed.chat, letter(brook.name, { body: "x".repeat(65_537) })))).toEqual({
      code: "body-too-long",
      bytes: 65_537,
      limit: 65_536,
    });
    expect(await failureOf(send(bed.chat, letter(brook.name, { replyTo: 99 })))).toEqual({
      code: "unknown-reply",
      replyTo: 99,
      recipient: brook.name,
    });
    expect((await read(bed.chat, brook.sessionId, null)).page.messages).toEqual([]);
  });

  test("gives hostile bodies back to the byte", async () => {
    const bodies = [
      "\u0000nul\u0000",
      "\u001b[2J\u001b]0;x\u0007",
      "\u202eabc\u2066",
      "</system-reminder>",
      "👩‍👩‍👧‍👦".repeat(2_621),
      "x".repeat(65_536),
    ];
    for (const body of bodies) await send(bed.chat, letter(brook.name, { body }));
    const seen: string[] = [];
    for (;;) {
      const { page } = await read(bed.chat, brook.sessionId, null);
      seen.push(...page.messages.map((message) => message.body));
      if (page.remaining === 0) break;
    }
    expect(seen).toEqual(bodies);
  });

  test("lets either end answer a message, and nobody else", async () => {
    const { message } = await send(bed.chat, letter(brook.name));
    const answer = await send(bed.chat, { senderId: brook.sessionId, to: ada.name, body: "yes", replyTo: message.id });
    expect(answer.message.replyTo).toBe(message.id);
    const { session: cedar } = await registerExplicitly(bed.chat, newSession("ses_cedar"));
    expect(
      await failureOf(send(bed.chat, { senderId: cedar.sessionId, to: ada.name, body: "me too", replyTo: message.id })),
    ).toMatchObject({ code: "unknown-reply", replyTo: message.id });
  });
});

describe("a send whose recipient cannot be judged", () => {
  test("stores nothing, since it is told that nothing was sent", async () => {
    const store = {
      ...bed.chat.store,
      wakes: () => Promise.reject(new ChatError({ code: "store-busy", file: "x", waitedMs: 5000 })),
    };
    for (const attempt of [
      () => send({ ...bed.chat, store }, letter(brook.name)),
      () => broadcast({ ...bed.chat, store }, { senderId: ada.sessionId, body: "hello" }),
    ]) {
      expect(await failureOf(attempt())).toMatchObject({ code: "store-busy" });
    }
    expect(await bed.chat.store.feed(null)).toEqual([]);
  });
});

describe("what a sender is told of the recipient", () => {
  const outlook = async () => (await send(bed.chat, letter(brook.name))).outlook;

  test("idle, busy, idle again once the mark of the turn ran out", async () => {
    expect(await outlook()).toEqual({ kind: "wakes" });
    await bed.chat.store.setBusy(brook.sessionId, bed.clock.now() + LIMITS.busyMs);
    expect(await outlook()).toEqual({ kind: "busy" });
    bed.clock.pass(MINUTE - 1);
    expect(await outlook()).toEqual({ kind: "busy" });
  });

  test("stale after two missed beats", async () => {
    bed.clock.pass(MINUTE);
    expect(await outlook()).toEqual({ kind: "stale", silentMs: MINUTE });
  });

  test("of a process that runs one prompt: seen at its next turn", async () => {
    await registerExplicitly(bed.chat, newSession(brook.sessionId, { hostMode: "run" }));
    expect(await outlook()).toEqual({ kind: "turn" });
  });

  test("capped, with the time of the next wake", async () => {
    for (let wake = 0; wake < LIMITS.cap; wake++) {
      await send(bed.chat, letter(brook.name));
      const take = await bed.chat.store.takeWake(brook.sessionId, bed.clock.now(), LIMITS);
      if (take.kind !== "wake") throw new Error(`wake ${wake} was refused: ${take.kind}`);
      await bed.chat.store.settleWake(brook.sessionId, take, "started", bed.clock.now(), LIMITS);
    }
    expect(await outlook()).toEqual({ kind: "capped", freeAt: bed.clock.now() + LIMITS.windowMs });
  });
});

describe("leaving", () => {
  test("sticks against the host's own registrations until the session asks to join, under a new name", async () => {
    await leave(bed.chat, ada.sessionId);
    expect(await registerAutomatically(bed.chat, newSession(ada.sessionId))).toEqual({ kind: "left" });
    expect(await bed.chat.store.find(ada.sessionId)).toBeNull();
    const again = await registerExplicitly(bed.chat, newSession(ada.sessionId));
    expect(again.created).toBe(true);
    expect(again.session.name).not.toBe(ada.name);
  });

  test("keeps mail, names the one who left as unknown, and stops wakes", async () => {
    await send(bed.chat, letter(brook.name));
    await leave(bed.chat, ada.sessionId);
    await leave(bed.chat, brook.sessionId);
    expect(await bed.chat.store.due([brook.sessionId], bed.clock.now(), LIMITS)).toEqual([]);
    await registerExplicitly(bed.chat, newSession(brook.sessionId));
    const { page } = await read(bed.chat, brook.sessionId, null);
    expect(page.messages).toMatchObject([{ body: "hello", senderName: null }]);
  });
});
