import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PluginInput } from "@opencode-ai/plugin";
import { wakeLimits } from "../../../src/core/wake.ts";
import { HostSilent, hostClient } from "../../../src/hosts/opencode/client.ts";
import { PATIENCE, wakeSession } from "../../../src/hosts/opencode/wake.ts";
import { type HostBed, hostBed, IDENTITY } from "./bed.ts";

let bed: HostBed;
beforeEach(() => {
  bed = hostBed();
});
afterEach(() => bed.remove());

const ID = "ses_one";
const silent = () => Promise.reject(new HostSilent("opencode did not answer session.promptAsync"));

async function idleSession() {
  bed.addSession(ID);
  await bed.status(ID, "busy");
  await bed.status(ID, "idle");
  const session = bed.runtime.hosted.get(ID);
  if (!session) throw new Error(`${ID} is not hosted`);
  session.identity = IDENTITY;
  return session;
}

async function wake(wholeMs = 10_000) {
  const session = await idleSession();
  const { hosted, log } = bed.runtime;
  return wakeSession(session, { count: 1, senders: ["otter"] }, hosted, log, { turnMs: 1, answerMs: 1, wholeMs });
}

describe("a wake whose prompt opencode does not answer", () => {
  test("is unseen, is not given again, and stays charged to the budget: it may have been taken", async () => {
    await idleSession();
    bed.client.onPrompt = silent;
    await bed.mail(ID, "hello");
    await bed.runtime.poller.flush(ID);
    const { store, limits } = bed.runtime.chat;
    expect(bed.client.prompts).toHaveLength(1);
    expect(await store.due([ID], Date.now(), limits)).toEqual([ID]);
    expect(await store.wakes(ID, Date.now(), limits)).toHaveLength(1);
  });

  test("is started once the model answers it", async () => {
    bed.startTurns();
    const start = bed.client.onPrompt;
    bed.client.onPrompt = async (prompt) => {
      await start(prompt);
      await silent();
    };
    expect(await wake()).toBe("started");
    expect(bed.client.prompts).toHaveLength(1);
  });

  test("is not given again when a turn ends without having seen it", async () => {
    bed.client.onPrompt = async () => {
      await bed.status(ID, "busy");
      await bed.status(ID, "idle");
      await silent();
    };
    expect(await wake()).toBe("unseen");
    expect(bed.client.prompts).toHaveLength(1);
  });
});

describe("the second attempt of a wake", () => {
  test("is not made while the session takes no prompt", async () => {
    bed.client.onPrompt = async () => {
      bed.runtime.hosted.get(ID)?.awaiting.add("per_1");
    };
    expect(await wake()).toBe("unseen");
    expect(bed.client.prompts).toHaveLength(1);
  });

  test("that opencode refuses does not give back the budget of the first, which it took", async () => {
    bed.client.onPrompt = async () => {
      bed.client.onPrompt = () => Promise.reject(new Error("opencode refused session.promptAsync"));
    };
    expect(await wake()).toBe("unseen");
    expect(bed.client.prompts).toHaveLength(2);
  });

  test("is not made when it could outlive the lease", async () => {
    // A prompt may take 5 s: less than that is left as soon as the first one was given.
    expect(await wake(5_000)).toBe("rejected");
    bed.client.onPrompt = async () => Bun.sleep(10);
    expect(await wake(5_005)).toBe("unseen");
    expect(bed.client.prompts).toHaveLength(1);
  });
});

test("a wake is over before its lease, with the waits of 5 s for the store before and behind it", () => {
  const { leaseMs } = wakeLimits({ renudgeMs: 1, nudgesPerHour: 1, pollMs: 30_000 });
  expect(PATIENCE.wholeMs + 2 * 5_000).toBeLessThan(leaseMs);
});

test("an answer that began before the wake's message was stored does not take it up", async () => {
  bed.client.onPrompt = async () => {
    await bed.status(ID, "busy");
    await bed.answer(ID);
    await bed.status(ID, "idle");
  };
  expect(await wake()).toBe("unseen");
});

describe("opencode's client", () => {
  const clientOf = (promptAsync: () => Promise<unknown>) =>
    hostClient({ session: { promptAsync } } as unknown as PluginInput["client"]);
  const prompt = (promptAsync: () => Promise<unknown>) => clientOf(promptAsync).prompt(ID, IDENTITY, [], false);

  test("tells a refusal from silence", async () => {
    const refused = prompt(async () => ({ error: { name: "NotFound" }, response: { status: 404 } }));
    await expect(refused).rejects.toThrow('opencode refused session.promptAsync: {"name":"NotFound"}');
    await expect(refused).rejects.not.toBeInstanceOf(HostSilent);
    const broken = prompt(() => Promise.reject(new TypeError("the socket was closed")));
    await expect(broken).rejects.toBeInstanceOf(HostSilent);
    await expect(broken).rejects.toThrow("opencode gave no answer to session.promptAsync: TypeError: the socket");
    await expect(prompt(() => new Promise(() => {}))).rejects.toBeInstanceOf(HostSilent);
  });
});
