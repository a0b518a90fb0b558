import { describe, expect, test } from "bun:test";
import { ageWords } from "../../src/core/age.ts";
import { checkoutKind } from "../../src/core/checkout.ts";
import { isStale, staleAfterMs } from "../../src/core/liveness.ts";
import { matchRecipient } from "../../src/core/recipient.ts";
import { groupRoster, reachOf, sortRoster } from "../../src/core/roster.ts";
import type { Session } from "../../src/core/session.ts";

const NOW = 1_000_000_000;
const POLL = 30_000;

function session(name: string, more: Partial<Session> = {}): Session {
  return {
    sessionId: `ses_${name}`,
    name,
    host: "opencode",
    hostMode: "tui",
    topic: null,
    project: "p",
    directory: "/p",
    worktree: null,
    registeredAt: NOW,
    lastSeenAt: NOW,
    busyUntil: null,
    ...more,
  };
}
const names = (rows: readonly Session[]) => rows.map((row) => row.name);

describe("staleness", () => {
  test("begins at the second missed beat", () => {
    expect(staleAfterMs(POLL)).toBe(60_000);
    expect(isStale({ host: "opencode", hostMode: "tui", lastSeenAt: NOW - 59_999 }, NOW, POLL)).toBe(false);
    expect(isStale({ host: "opencode", hostMode: "tui", lastSeenAt: NOW - 60_000 }, NOW, POLL)).toBe(true);
  });

  test("is not for a beat from the future, which a clock that jumped back leaves", () => {
    expect(isStale({ host: "opencode", hostMode: "tui", lastSeenAt: NOW + 3_600_000 }, NOW, POLL)).toBe(false);
  });
});

describe("the liveness of a session by how it is hosted", () => {
  const LONG_AGO = NOW - 5 * 24 * 3_600_000;
  /** Whether it is stale long after its last sign of life, and right after it. */
  test.each([
    ["opencode", "tui", true, false],
    ["opencode", null, true, false],
    ["claude-code", "served", true, false],
    ["claude-code", null, false, false],
    ["claude-code", "closed", true, true],
    ["cursor", null, false, false],
    ["cursor", "closed", true, true],
    ["mcp", "served", true, false],
    ["mcp", null, false, false],
    ["mcp", "closed", true, true],
  ] as const)("%p %p", (host, hostMode, long, fresh) => {
    const stale = (lastSeenAt: number) => isStale({ host, hostMode, lastSeenAt }, NOW, POLL);
    expect([stale(LONG_AGO), stale(NOW)]).toEqual([long, fresh]);
  });
});

describe("the roster", () => {
  test("puts projects in order, those without one last, and the most recently seen first", () => {
    const rows = [
      session("none", { project: null }),
      session("b-old", { project: "beta", lastSeenAt: NOW - 10 }),
      session("b-new", { project: "Beta", lastSeenAt: NOW }),
      session("a2", { project: "alpha" }),
      session("a1", { project: "alpha" }),
    ];
    expect(names(sortRoster(rows))).toEqual(["a1", "a2", "b-new", "b-old", "none"]);
    expect(names(rows)[0]).toBe("none");
  });

  test("splits by staleness and keeps the order in both parts", () => {
    const old = NOW - 60_000;
    const rows = [
      session("z", { lastSeenAt: old }),
      session("b", { project: "x" }),
      session("a"),
      session("y", { lastSeenAt: old - 1 }),
    ];
    const { active, stale } = groupRoster(rows, NOW, POLL);
    expect([names(active), names(stale)]).toEqual([
      ["a", "b"],
      ["z", "y"],
    ]);
  });

  test("tells how mail reaches a session", () => {
    expect(reachOf(session("a"))).toBe("wakes");
    expect(reachOf(session("a", { hostMode: "serve" }))).toBe("wakes");
    expect(reachOf(session("a", { hostMode: "run" }))).toBe("turn");
    expect(reachOf(session("a", { host: "mcp", hostMode: null }))).toBe("polls");
    expect(reachOf(session("a", { host: "mcp", hostMode: "served" }))).toBe("polls");
    expect(reachOf(session("a", { host: "claude-code", hostMode: "served" }))).toBe("wakes");
    expect(reachOf(session("a", { host: "claude-code", hostMode: null }))).toBe("turn");
    expect(reachOf(session("a", { host: "cursor", hostMode: "served" }))).toBe("turn");
  });

  test("knows a linked worktree by its .git being a file", () => {
    const file = (text: string) => checkoutKind({ kind: "file", text });
    expect([checkoutKind({ kind: "folder" }), checkoutKind(null)]).toEqual(["root", null]);
    expect(file("gitdir: /code/app/.git/worktrees/feature\n")).toBe("worktree");
    expect(file("gitdir: C:\\code\\app\\.git\\worktrees\\feature\r\n")).toBe("worktree");
    // A submodule, one in a folder of that name, a worktree of one, and a file that git would not take.
    expect(file("gitdir: ../.git/modules/lib\n")).toBe("root");
    expect(file("gitdir: /worktrees/app/.git/modules/lib\n")).toBe("root");
    expect(file("gitdir: ../.git/modules/lib/worktrees/feature\n")).toBe("worktree");
    expect(file("")).toBe("root");
  });
});

describe("an address", () => {
  const rows = [
    session("ada", { sessionId: "ses_0001aaaa" }),
    session("ada-2", { sessionId: "ses_0001bbbb" }),
    session("brook", { sessionId: "ses_0002" }),
  ];
  const match = (wanted: string) => {
    const found = matchRecipient(wanted, rows);
    return found.kind === "match" ? found.session.name : found.kind === "ambiguous" ? names(found.matches) : null;
  };

  test("is a name in any case, a session id, or the start of exactly one id", () => {
    expect(["ada", "ADA-2", " @brook ", "ses_0002", "ses_0001a"].map(match)).toEqual([
      "ada",
      "ada-2",
      "brook",
      "brook",
      "ada",
    ]);
  });

  test("is never a guess", () => {
    expect(["ad", "broo", "ses_000", "", "@"].map(match)).toEqual([null, null, null, null, null]);
    expect(match("ses_0001")).toEqual(["ada", "ada-2"]);
  });
});

test("ages are told in their largest unit", () => {
  const table: [number, string][] = [
    [-5, "just now"],
    [4_999, "just now"],
    [5_000, "5s ago"],
    [59_999, "59s ago"],
    [60_000, "1m ago"],
    [7_200_000, "2h ago"],
    [5 * 86_400_000, "5d ago"],
  ];
  for (const [ms, words] of table) expect(ageWords(ms)).toBe(words);
});
