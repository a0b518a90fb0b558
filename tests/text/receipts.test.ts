import { describe, expect, test } from "bun:test";
import type { Outlook } from "../../src/core/outlook.ts";
import type { Host, HostMode, Session } from "../../src/core/session.ts";
import { broadcastReceipt, sendReceipt } from "../../src/text/receipts.ts";

const NOW = Date.UTC(2026, 0, 2, 14, 5);

function session(name: string, host: Host = "opencode", hostMode: HostMode | null = "tui"): Session {
  return {
    sessionId: `id-${name}`,
    name,
    host,
    hostMode,
    topic: null,
    project: null,
    directory: "/",
    worktree: null,
    registeredAt: NOW,
    lastSeenAt: NOW,
    busyUntil: null,
  };
}

const message = {
  id: 7,
  senderId: "id-ada",
  recipientId: "id-brook",
  body: "x",
  viaBroadcast: false,
  replyTo: null,
  sentAt: NOW,
  noticedAt: null,
  deliveredAt: null,
  readAt: null,
};

const receipt = (outlook: Outlook, sender = session("ada")) => sendReceipt(message, sender, session("brook"), outlook);

describe("a receipt", () => {
  const table: [Outlook, string][] = [
    [{ kind: "wakes" }, "brook is idle and its host is told now (reach: wakes)."],
    [
      { kind: "busy" },
      "brook is in a turn: it is woken for this when the turn ends, unless it reads it before (reach: wakes).",
    ],
    [
      { kind: "capped", freeAt: NOW },
      "brook was woken as often as one hour allows, so it is not woken for this before 14:05 UTC: it hears of it in a turn of its own, or is woken then. Do not send more to hurry it.",
    ],
    [{ kind: "turn" }, "brook is not woken: it hears of this in a turn of its own (reach: turn)."],
    [{ kind: "polls" }, "brook is not woken: it sees this when it looks (reach: polls)."],
  ];
  for (const [outlook, words] of table)
    test(`says of a recipient: ${outlook.kind}`, () =>
      expect(receipt(outlook)).toBe(
        `Stored as #7 for brook. ${words} End your turn instead of waiting or polling: an answer wakes you.`,
      ));

  test("promises a sender no wake that its host cannot give", () => {
    const opencodeRun = receipt({ kind: "wakes" }, session("ada", "opencode", "run"));
    const hooksOnly = receipt({ kind: "wakes" }, session("ada", "claude-code", null));
    const client = receipt({ kind: "wakes" }, session("ada", "mcp", "served"));
    for (const text of [opencodeRun, hooksOnly, client]) expect(text).not.toContain("wakes you");
    expect(opencodeRun).toEndWith("an answer is shown to you in a later turn, and does not start one.");
    expect(hooksOnly).toBe(opencodeRun);
    expect(client).toEndWith("nothing tells you of an answer; look for it when the user next wants something.");
  });

  test("says nothing of an answer where none is to be waited for", () => {
    expect(receipt({ kind: "stale", silentMs: 3_600_000 })).toBe(
      "Stored as #7 for brook. brook is stale: no running process hosts it (last seen 1h ago). It gets this when it is opened again; do not wait for it.",
    );
  });

  test("of a broadcast stays short whoever hears of it", () => {
    const copies = Array.from({ length: 100 }, (_, index) => ({
      recipient: session(`name-${index}`),
      outlook: { kind: "wakes" as const },
    }));
    expect(broadcastReceipt(copies, [])).toBe(
      "Stored for 100 sessions.\nIdle, woken now: name-0, name-1, name-2, name-3, name-4 and 95 more.",
    );
  });
});
