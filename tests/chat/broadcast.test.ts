import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { broadcast } from "../../src/chat/broadcast.ts";
import { list } from "../../src/chat/list.ts";
import { read } from "../../src/chat/read.ts";
import { registerExplicitly } from "../../src/chat/register.ts";
import { status } from "../../src/chat/status.ts";
import { MINUTE, newSession, testChat } from "../support/chat.ts";

let bed: ReturnType<typeof testChat>;
beforeEach(() => {
  bed = testChat();
});
afterEach(() => bed.remove());

const join = async (id: string) => (await registerExplicitly(bed.chat, newSession(id))).session;

describe("a broadcast", () => {
  test("reaches every active session but the sender, and names the stale ones it skipped", async () => {
    const old = await join("ses_old");
    bed.clock.pass(MINUTE);
    const [ada, brook, cedar] = [await join("ses_a"), await join("ses_b"), await join("ses_c")];
    const receipt = await broadcast(bed.chat, { senderId: ada.sessionId, body: "who works on the release?" });
    expect(receipt.copies.map((copy) => copy.recipient.name).sort()).toEqual([brook.name, cedar.name].sort());
    expect(receipt.skipped.map((session) => session.name)).toEqual([old.name]);
    expect((await status(bed.chat, old.sessionId)).mailbox).toEqual({ unread: 0, total: 0 });
    const { page } = await read(bed.chat, brook.sessionId, null);
    expect(page.messages).toMatchObject([
      { viaBroadcast: true, senderName: ada.name, body: "who works on the release?" },
    ]);
  });

  test("alone in the directory stores nothing", async () => {
    const ada = await join("ses_a");
    expect((await broadcast(bed.chat, { senderId: ada.sessionId, body: "anybody?" })).copies).toEqual([]);
    expect(await bed.chat.store.feed(null)).toEqual([]);
  });
});

describe("reading", () => {
  test("pages by fifty, stamps only what it returned, and shows read mail again", async () => {
    const [ada, brook] = [await join("ses_a"), await join("ses_b")];
    for (let n = 1; n <= 60; n++) {
      await bed.chat.store.send({
        senderId: ada.sessionId,
        recipientId: brook.sessionId,
        body: `n${n}`,
        replyTo: null,
        at: bed.clock.now(),
      });
    }
    const first = await read(bed.chat, brook.sessionId, null);
    expect([first.page.messages.length, first.page.remaining]).toEqual([50, 10]);
    expect((await status(bed.chat, brook.sessionId)).mailbox).toEqual({ unread: 10, total: 60 });
    const again = await read(bed.chat, brook.sessionId, 3);
    expect(again.page.messages.map((message) => message.body)).toEqual(["n48", "n49", "n50"]);
    expect((await status(bed.chat, brook.sessionId)).mailbox.unread).toBe(10);
  });
});

test("the list puts the hosted first and tells the stale", async () => {
  await join("ses_old");
  bed.clock.pass(MINUTE);
  await join("ses_new");
  const groups = await list(bed.chat);
  expect(groups.active.map((row) => row.sessionId)).toEqual(["ses_new"]);
  expect(groups.stale.map((row) => row.sessionId)).toEqual(["ses_old"]);
});
