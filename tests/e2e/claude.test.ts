import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { CLAUDE_BINARY, type ClaudeHome } from "../../testbed/claude-home.ts";
import type { ModelRequest } from "../../testbed/model.ts";
import { isAlive } from "../../testbed/process.ts";
import { call, held, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import type { Serve } from "../../testbed/serve.ts";
import { until } from "../../testbed/wait.ts";
import { Bed, isWake, type Joined, joinSession, THATCH } from "./bed.ts";

const TIMEOUT = 90_000;
const tool = (verb: string) => `mcp__thatch__chat_${verb}`;
const isReminded = whenSays(/\[thatch\] You have \d+ unread message/);
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.open();
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

/** Everything a request holds, wherever Claude Code put it. */
const whole = (request: ModelRequest) => JSON.stringify(request.body);

/** The one conversation that was registered since `before` was taken. */
async function newConversation(before: readonly { session_id?: unknown }[]) {
  const known = new Set(before.map((row) => row.session_id));
  return until("a conversation of Claude Code in the directory", () =>
    bed.conversations().find((row) => !known.has(row.session_id ?? null)),
  );
}

describe("Claude Code and opencode", () => {
  let one: Serve;
  let pierre: Joined;
  beforeAll(async () => {
    one = await bed.serve(await bed.home("one"));
    pierre = await joinSession(bed, one);
  }, TIMEOUT);

  test(
    "an idle conversation is woken by opencode's message, answers it, and opencode's session is woken with the answer",
    async () => {
      const before = bed.conversations();
      const claude = bed.claude(await bed.claudeHome("claude"));
      claude.prompt("hello");
      await claude.turns(1);
      const row = await newConversation(before);
      const [first] = bed.model.turns("claude");
      expect(first && whole(first)).toContain(`[thatch] You are ${row.name} in the session chat.`);
      expect(first?.tools.map((one) => one.function.name)).toEqual(
        expect.arrayContaining([tool("send"), tool("read"), tool("list")]),
      );
      await until("its server to answer for it", () => bed.session(String(row.session_id))?.host_mode === "served");

      bed.model.script(
        "claude",
        queue([
          { when: isReminded, reply: call(tool("read")) },
          {
            when: whenResultOf(tool("read")),
            reply: call(tool("send"), { to: pierre.name, body: "Yes, since noon.", reply_to: 1 }),
          },
          { when: whenResultOf(tool("send")), reply: { text: "Answered." } },
        ]),
      );
      bed.model.script(
        "one",
        queue([
          { when: whenSays(/ask Claude/), reply: call("thatch_chat_send", { to: row.name, body: "Is it green?" }) },
          { when: whenResultOf("thatch_chat_send"), reply: { text: "Asked." } },
          { when: isWake, reply: call("thatch_chat_read") },
          { when: whenResultOf("thatch_chat_read"), reply: { text: "Green." } },
        ]),
      );
      await one.client.prompt(pierre.id, "ask Claude whether it is green");
      const sent = await bed.model.waitFor("one", whenResultOf("thatch_chat_send"));
      expect(sent.toolResults.at(-1)?.text).toContain(`${row.name} is idle and its host is told now (reach: wakes)`);
      const read = await bed.model.waitFor("claude", whenResultOf(tool("read")));
      expect(read.toolResults.at(-1)?.text).toContain(`#1 from ${pierre.name}`);
      expect(read.toolResults.at(-1)?.text).toContain("\nIs it green?\n");
      const answer = await bed.model.waitFor("one", whenResultOf("thatch_chat_read"));
      expect(answer.toolResults.at(-1)?.text).toContain("Yes, since noon.");
      expect(bed.messages().map(({ reply_to, sender_id }) => [reply_to, sender_id])).toEqual([
        [null, pierre.id],
        [1, String(row.session_id)],
      ]);
      expect(await claude.close()).toBe(0);
      await until("it to be closed", () => bed.session(String(row.session_id))?.host_mode === "closed");
    },
    TIMEOUT,
  );
});

describe("a conversation in a turn", () => {
  test(
    "is told at its next tool result, reminded once at the turn's end, and not woken again for the same mail",
    async () => {
      const before = bed.conversations();
      const claude = bed.claude(await bed.claudeHome("busy"));
      claude.prompt("hello");
      await claude.turns(1);
      const row = await newConversation(before);
      const id = String(row.session_id);
      const working = held(call(tool("status")));
      const after = held({ text: "All done." });
      bed.model.script(
        "busy",
        queue([
          { when: whenSays(/the task/), reply: working.reply },
          { when: whenResultOf(tool("status")), reply: after.reply },
        ]),
      );
      claude.prompt("begin with the task");
      await working.asked;
      bed.mail(id, "while you work");
      working.release();
      expect(whole(await after.asked)).toContain("[thatch] 1 new message from (left): chat_read shows it.");
      const asked = bed.model.turns("busy").length;
      after.release();
      const reminder = await bed.model.waitFor("busy", (request) =>
        whole(request).includes("[thatch] You have 1 unread message from (left)."),
      );
      expect(bed.model.turns("busy").indexOf(reminder)).toBe(asked);
      await until("the turn to end", () => bed.session(id)?.busy_until === null);
      claude.prompt("anything else?");
      const next = await bed.model.waitFor("busy", (request) => whole(request).includes("anything else?"));
      expect(whole(next)).toContain("1 unread message: chat_read shows it.");
      // Between the reminder and this prompt nothing was asked, and one wake was spent.
      expect(bed.model.turns("busy").indexOf(next)).toBe(asked + 1);
      expect(bed.rows("SELECT count(*) AS n FROM chat_nudges WHERE recipient_id = ?", id)).toEqual([{ n: 1 }]);
    },
    TIMEOUT,
  );
});

describe("identity", () => {
  test(
    "two conversations in one folder never share one",
    async () => {
      const home = await bed.claudeHome("pair");
      const asksStatus = () => queue([{ when: whenSays(/who/), reply: call(tool("status")) }]);
      const names: string[] = [];
      const both = [bed.claude(home), bed.claude(home)];
      for (const [index, claude] of both.entries()) {
        bed.model.script("pair", asksStatus());
        const known = bed.model.turns("pair").length;
        claude.prompt("who are you?");
        await claude.turns(1);
        const result = bed.model
          .turns("pair")
          .slice(known)
          .find(whenResultOf(tool("status")));
        names[index] = /Registered as (\S+)\./.exec(result?.toolResults.at(-1)?.text ?? "")?.[1] ?? "";
      }
      expect(names[0]).not.toBe("");
      expect(names[1]).not.toBe("");
      expect(names[0]).not.toBe(names[1]);
      for (const claude of both) await claude.close();
    },
    TIMEOUT,
  );

  test(
    "--resume and -c keep it, --fork-session gets one of its own",
    async () => {
      const before = bed.conversations();
      const home = await bed.claudeHome("again");
      const first = bed.claude(home);
      first.prompt("hello");
      await first.turns(1);
      const row = await newConversation(before);
      const hostId = String(first.events().find((event) => "session_id" in event)?.session_id);
      await first.close();
      await until("it to be closed", () => bed.session(String(row.session_id))?.host_mode === "closed");
      bed.mail(String(row.session_id), "while you were away");
      const count = bed.conversations().length;

      const resumed = bed.claude(home, ["--resume", hostId]);
      resumed.prompt("back again");
      await resumed.turns(1);
      expect(bed.conversations()).toHaveLength(count);
      expect(whole(bed.model.turns("again").at(-1) as ModelRequest)).toContain(`[thatch] You are ${row.name}.`);
      await resumed.close();

      const continued = bed.claude(home, ["-c"]);
      continued.prompt("once more");
      await continued.turns(1);
      expect(bed.conversations()).toHaveLength(count);
      await continued.close();

      const forked = bed.claude(home, ["--resume", hostId, "--fork-session"]);
      forked.prompt("another way");
      await forked.turns(1);
      expect(bed.conversations()).toHaveLength(count + 1);
      expect(bed.session(String(row.session_id))).toMatchObject({ name: row.name });
      await forked.close();
    },
    TIMEOUT,
  );
});

describe("the end of a process", () => {
  /** Processes that run a file of this checkout's dist folder. */
  const ours = (home: ClaudeHome) =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return (
            readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/dist/") &&
            readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home.root}\0`)
          );
        } catch {
          return false;
        }
      })
      .filter((pid) => isAlive(Number(pid)));

  test(
    "kill -9 leaves no server and no hook behind",
    async () => {
      const home = await bed.claudeHome("killed");
      const claude = bed.claude(home);
      claude.prompt("hello");
      await claude.turns(1);
      expect(ours(home).length).toBeGreaterThan(0);
      await claude.stop("SIGKILL");
      await until("nothing of it to run", () => ours(home).length === 0);
    },
    TIMEOUT,
  );

  test(
    "-p ends by itself, with mail and without",
    async () => {
      const before = bed.conversations();
      const home = await bed.claudeHome("once");
      const print = async (...args: string[]) => {
        const child = Bun.spawn([CLAUDE_BINARY, "-p", ...args, "hello"], {
          cwd: home.directory,
          env: home.env,
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
        });
        return [await child.exited, await child.stdout.text(), await child.stderr.text()];
      };
      expect(await print()).toEqual([0, "Done.\n", ""]);
      const row = await newConversation(before);
      bed.mail(String(row.session_id), "nobody reads this");
      bed.model.script("once", queue([]));
      expect(await print("-c")).toEqual([0, "Done.\n", ""]);
      expect(bed.rows("SELECT read_at FROM chat_messages WHERE recipient_id = ?", String(row.session_id))).toEqual([
        { read_at: null },
      ]);
    },
    TIMEOUT,
  );
});

test(
  "set-up that is removed leaves the project as it was, and Claude Code without a word of thatch",
  async () => {
    const before = bed.conversations();
    const home = await bed.bareClaudeHome("removed");
    const thatch = async (...args: string[]) => {
      const child = Bun.spawn([THATCH, "setup", "claude-code", ...args], {
        cwd: home.directory,
        env: home.env,
        stdout: "pipe",
      });
      expect(await child.exited).toBe(0);
      return child.stdout.text();
    };
    // Claude Code writes its local settings itself.
    const files = () =>
      readdirSync(home.directory, { recursive: true, encoding: "utf8" })
        .filter((file) => !file.endsWith("settings.local.json"))
        .sort();
    const prompted = async (text: string) => {
      const claude = bed.claude(home);
      claude.prompt(text);
      await claude.turns(1);
      await claude.close();
      return whole(bed.model.turns("removed").at(-1) as ModelRequest);
    };
    const bare = files();
    await thatch();
    expect(await prompted("with thatch")).toContain("[thatch] You are ");
    const row = await newConversation(before);
    await thatch("--remove");
    expect(files()).toEqual(bare);
    const last = await prompted("without it");
    expect(last).not.toContain("[thatch]");
    expect(last).not.toContain("mcp__thatch__");
    expect(bed.conversations().filter(({ directory }) => directory === row.directory)).toHaveLength(1);
  },
  TIMEOUT,
);
