import { expect, test } from "bun:test";
import type { PluginInput } from "@opencode-ai/plugin";
import { hostClient } from "../../../src/hosts/opencode/client.ts";
import { hideChatTools } from "../../../src/hosts/opencode/hidden-tools.ts";
import { hostBed, IDENTITY } from "./bed.ts";

/** The tools of the identity that is taken from a transcript whose user's message has these. */
async function chosenIn(tools: Record<string, boolean> | undefined) {
  const message = { info: { role: "user", ...IDENTITY, tools }, parts: [{ type: "text", text: "hello" }] };
  const messages = async () => ({ data: [message], response: { status: 200 } });
  const client = hostClient({ session: { messages } } as unknown as PluginInput["client"]);
  return (await client.transcript("ses_one", 1))[0]?.identity?.tools;
}

test("the tools that thatch hid while chat was off are no choice of the user, whose others stay", async () => {
  expect(await chosenIn(hideChatTools(undefined))).toBeUndefined();
  expect(await chosenIn(hideChatTools({ bash: false, thatch_chat_send: true }))).toEqual({ bash: false });
  // Another version of thatch may have had other tools.
  expect(await chosenIn({ bash: true, thatch_chat_read: false, thatch_chat_poke: false })).toEqual({ bash: true });
  expect(await chosenIn({ thatch_chat_send: false, bash: false })).toEqual({ thatch_chat_send: false, bash: false });
  expect(await chosenIn(undefined)).toBeUndefined();
});

test("nor in a message that comes by, which a client may have made of an older one", async () => {
  const bed = hostBed({ chat: { enabled: false } });
  try {
    bed.addSession("ses_one");
    await bed.message("ses_one", [{ type: "text", text: "hello" }], "msg_1", { tools: hideChatTools({ bash: false }) });
    expect(bed.runtime.hosted.get("ses_one")?.identity?.tools).toEqual({ bash: false });
  } finally {
    bed.remove();
  }
});
