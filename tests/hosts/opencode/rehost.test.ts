import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rehostSessions } from "../../../src/hosts/opencode/rehost.ts";
import { hostContinued } from "../../../src/hosts/opencode/startup.ts";
import { type HostBed, hostBed } from "./bed.ts";

let bed: HostBed;
beforeEach(() => {
  bed = hostBed();
});
afterEach(() => bed.remove());

const rehost = () => rehostSessions({ ...bed.runtime, mode: "serve" }, bed.instance);

/** Rows that a server which is gone hosted in the directory. */
async function leftBehind(...ids: string[]) {
  for (const sessionId of ids) {
    bed.addSession(sessionId);
    await bed.runtime.chat.store.register(
      {
        ...{ sessionId, host: "opencode", hostMode: "serve", directory: bed.instance.directory },
        ...{ topic: null, project: null, worktree: null },
      },
      { base: "ada", at: Date.now() - 10 * 60_000, tombstone: "respect" },
    );
  }
}

describe("sessions of a server before this one", () => {
  test("are each taken over on their own: one that opencode does not answer for is left for the next time", async () => {
    await leftBehind("ses_a", "ses_b", "ses_c");
    bed.client.onIsBusy = async (id) => {
      if (id === "ses_b") throw new Error("opencode did not answer session.status");
      return false;
    };
    await rehost();
    expect(bed.runtime.hosted.all().map(({ id }) => id)).toEqual(["ses_a", "ses_c"]);
    expect(readFileSync(`${bed.folder}/debug.log`, "utf8")).toContain("rehost of ses_b");
    bed.client.onIsBusy = async () => false;
    await rehost();
    const sessions = bed.runtime.hosted.all();
    expect(sessions.map(({ id }) => id).sort()).toEqual(["ses_a", "ses_b", "ses_c"]);
    for (const session of sessions) {
      expect(session.graceUntil).toBeGreaterThan(Date.now());
      expect(session.name).toBe((await bed.row(session.id))?.name ?? "none");
    }
  });

  test("are not hosted without the name that the store did not tell", async () => {
    await leftBehind("ses_a");
    const { store } = bed.runtime.chat;
    const register = store.register;
    store.register = () => Promise.reject(new Error("disk on fire"));
    await rehost();
    expect(bed.runtime.hosted.all()).toEqual([]);
    store.register = register;
    await rehost();
    expect(bed.runtime.hosted.get("ses_a")?.name).toBe("ada");
  });

  test("are not beaten for before it is known whether they run a turn, and so stay stale for the next time", async () => {
    await leftBehind("ses_a");
    const before = (await bed.row("ses_a"))?.lastSeenAt;
    bed.client.onIsBusy = async () => {
      await bed.runtime.poller.beat();
      throw new Error("opencode did not answer session.status");
    };
    await rehost();
    expect(before).toBeLessThan(Date.now());
    expect((await bed.row("ses_a"))?.lastSeenAt).toBe(before);
  });

  test("are not hosted once they were deleted while opencode was asked", async () => {
    await leftBehind("ses_a");
    bed.client.onIsBusy = async (id) => {
      await bed.event({ type: "session.deleted", properties: { info: { id, title: "Doomed" } } });
      return false;
    };
    await rehost();
    expect([bed.runtime.hosted.all(), await bed.row("ses_a")]).toEqual([[], null]);
    expect(readFileSync(`${bed.folder}/debug.log`, "utf8")).toContain("ses_a was let go of while it was taken up");
  });

  test("need no grace once an event told of them while opencode was asked", async () => {
    await leftBehind("ses_a");
    bed.client.onIsBusy = async (id) => {
      await bed.status(id, "busy");
      await bed.status(id, "idle");
      return true;
    };
    await rehost();
    expect(bed.runtime.hosted.get("ses_a")).toMatchObject({ graceUntil: null, turn: { state: "none" } });
  });
});

test("a continued session that opencode answers for at the third attempt only is hosted then", async () => {
  bed.addSession("ses_one");
  let attempts = 0;
  bed.client.onIsBusy = async () => {
    if (++attempts < 3) throw new Error("opencode did not answer session.status");
    return false;
  };
  await hostContinued(bed.runtime, bed.instance, { kind: "latest" });
  expect(bed.runtime.hosted.get("ses_one")?.name).toBe((await bed.row("ses_one"))?.name ?? "none");
});
