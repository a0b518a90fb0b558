import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../testbed/wait.ts";
import { Bed, joinSession, wakesOf } from "./bed.ts";

const TIMEOUT = 90_000;
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.open();
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

test(
  "mail does not wake a session whose messages were taken back, so that they can be brought back; then it does",
  async () => {
    const serve = await bed.serve(await bed.home("one", { env: { THATCH_CHAT_POLL_SECONDS: "0.5" } }));
    const { id } = await joinSession(bed, serve, "first");
    await serve.client.prompt(id, "second, precious");
    const texts = async () =>
      (await serve.client.messages(id)).flatMap(({ parts }) => parts.map(({ text }) => text ?? "")).join("|");
    const second = (await serve.client.messages(id)).findLast(({ info }) => info.role === "user");
    await serve.client.request("POST", `/session/${id}/revert`, { messageID: second?.info.id });
    bed.mail(id, "hello");
    // Two polls have gone by, in which it would have been woken.
    const seen = Number(bed.session(id)?.last_seen_at);
    await until("two beats", () => Number(bed.session(id)?.last_seen_at) > seen + 1_000);
    expect(wakesOf(bed, "one")).toBe(0);
    expect(await texts()).toContain("second, precious");
    await serve.client.request("POST", `/session/${id}/unrevert`);
    await until("the wake", () => wakesOf(bed, "one") === 1);
    expect(await texts()).toContain("second, precious");

    // A prompt does away with what is taken back, and is answered before the session is woken for the mail that waited.
    await until("the wake's turn to end", () => serve.client.isIdle(id));
    await serve.client.request("POST", `/session/${id}/revert`, { messageID: second?.info.id });
    bed.mail(id, "hello again");
    await serve.client.prompt(id, "third");
    await until("the second wake", () => wakesOf(bed, "one") === 2);
    const messages = await serve.client.messages(id);
    const third = messages.findIndex(({ parts }) => parts.some(({ text }) => text === "third"));
    expect(messages.slice(third, third + 2).map(({ info }) => info.role)).toEqual(["user", "assistant"]);
    expect(await texts()).not.toContain("second, precious");
  },
  TIMEOUT,
);
