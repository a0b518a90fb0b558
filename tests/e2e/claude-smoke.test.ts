import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeClaudeHome } from "../../testbed/claude-home.ts";
import { claudePrint } from "../../testbed/claude-print.ts";
import { startClaudeTui } from "../../testbed/claude-tui.ts";
import type { ModelRequest } from "../../testbed/model.ts";
import { call, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import { Bed } from "./bed.ts";
import { BATCH_CONTEXT, makeProbe, RING_TEXT, SERVER_TEXT, START_CONTEXT, TOOL } from "./claude-probe.ts";

// What Claude Code itself does, without thatch: when one of these fails, the host has changed.

const TIMEOUT = 90_000;
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.open();
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

/** Everything a request holds, wherever Claude Code put it. */
const whole = (request: ModelRequest | undefined) => JSON.stringify(request?.body);
const isRung = (request: ModelRequest) => request.lastUserText.includes(RING_TEXT);

describe("claude -p", () => {
  test(
    "answers with what the model says, and gives the model the context of the SessionStart hook and of the server",
    async () => {
      const probe = await makeProbe(bed, "print");
      bed.model.script("print", queue([{ when: whenSays(/two and two/), reply: { text: "Four." } }]));
      expect(await claudePrint(probe.home, "two and two?")).toEqual({ code: 0, stdout: "Four.\n", stderr: "" });
      const [asked] = bed.model.turns("print");
      expect(whole(asked)).toContain(START_CONTEXT);
      expect(whole(asked)).toContain(SERVER_TEXT);
      expect(asked?.tools.map((tool) => tool.function.name)).toContain(TOOL);
      const [start] = probe.seen("SessionStart");
      expect(start).toMatchObject({ source: "startup", cwd: probe.home.directory });
      expect(probe.seen().map((input) => input.session_id)).toEqual(probe.seen().map(() => start?.session_id));
    },
    TIMEOUT,
  );

  test(
    "-c and --resume go on with the same id as source resume, --fork-session with a new one as source fork",
    async () => {
      const probe = await makeProbe(bed, "again");
      await claudePrint(probe.home, "hello");
      const id = String(probe.seen("SessionStart")[0]?.session_id);
      await claudePrint(probe.home, "more", ["-c"]);
      await claudePrint(probe.home, "more still", ["--resume", id]);
      await claudePrint(probe.home, "another way", ["--resume", id, "--fork-session"]);
      const starts = probe.seen("SessionStart");
      expect(starts.map(({ source }) => source)).toEqual(["startup", "resume", "resume", "fork"]);
      expect(starts.map(({ session_id }) => session_id === id)).toEqual([true, true, true, false]);
      expect(probe.seen("UserPromptSubmit").at(-1)?.session_id).toBe(starts.at(-1)?.session_id);
    },
    TIMEOUT,
  );
});

describe("a failing UserPromptSubmit hook", () => {
  async function printWith(who: string, hook: Readonly<Record<string, unknown>>) {
    const home = await makeClaudeHome({
      modelUrl: bed.model.url(who).replace(/\/v1$/, ""),
      settings: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", ...hook }] }] } },
    });
    bed.onClose(() => home.remove());
    return claudePrint(home, "hello");
  }

  test(
    "keeps the prompt from the model when it exits 2, and only then: not when its program is gone",
    async () => {
      // dash exits 2 for a script that is gone: a hook that starts a shell has to look for its script first.
      const refused = await printWith("refused", { command: "/bin/sh", args: ["-c", "echo too bad >&2; exit 2"] });
      expect(refused.stdout).toContain("operation blocked by hook");
      expect(bed.model.turns("refused")).toHaveLength(0);
      const gone = await printWith("gone", { command: "/no/such/program", args: ["hook"] });
      expect(gone).toEqual({ code: 0, stdout: "Done.\n", stderr: "" });
      expect(bed.model.turns("gone")).toHaveLength(1);
    },
    TIMEOUT,
  );
});

describe("a stream of prompts", () => {
  test(
    "takes a second turn, gives the model what PostToolBatch adds, and is woken when the watched file changes",
    async () => {
      const probe = await makeProbe(bed, "stream");
      const claude = bed.claude(probe.home);
      bed.model.script("stream", queue([{ when: whenSays(/say it/), reply: call(TOOL, { text: "it" }) }]));
      claude.prompt("hello");
      await claude.turns(1);
      claude.prompt("say it");
      await claude.turns(2);
      const after = bed.model.turns("stream").find(whenResultOf(TOOL, /^echo: it$/));
      expect(whole(after)).toContain(BATCH_CONTEXT);
      expect(probe.seen("PostToolBatch")).toHaveLength(1);

      await probe.ring();
      const woken = await bed.model.waitFor("stream", isRung);
      expect(woken.lastUserText).toContain("<task-notification>");
      await claude.turns(3);
      expect(probe.seen("UserPromptSubmit").at(-1)?.prompt).toStartWith("<task-notification>");
      await probe.ring();
      await claude.turns(4);
      expect(probe.seen("FileChanged").map(({ event }) => event)).toEqual(["add", "change"]);
      expect(await claude.close()).toBe(0);
      expect(probe.seen("SessionEnd").map(({ reason }) => reason)).toEqual(["other"]);
    },
    TIMEOUT,
  );
});

describe("the terminal", () => {
  test(
    "shows the answer to a prompt, is woken when the watched file changes, and wakes the new conversation after /clear",
    async () => {
      const probe = await makeProbe(bed, "screen");
      const tui = await startClaudeTui(probe.home);
      bed.onClose(() => tui.stop());
      bed.model.script(
        "screen",
        queue([
          { when: whenSays(/how are you/), reply: { text: "Never better." } },
          { when: isRung, reply: { text: "Who is there?" } },
        ]),
      );
      await tui.type("how are you");
      await tui.waitForScreen(/how are you/);
      await tui.key("Enter");
      await tui.waitForScreen(/Never better\./);
      await probe.waitFor("the turn to end", (input) => input.hook_event_name === "Stop");

      await probe.ring();
      await tui.waitForScreen(/probe: rung[\s\S]*Who is there\?/);
      await probe.waitFor("the wake's turn to end", () => probe.seen("Stop").length === 2);

      await tui.type("/clear");
      await tui.waitForScreen(/\/clear/);
      await tui.key("Enter");
      const cleared = await probe.waitFor("the start after /clear", (input) => input.source === "clear");
      const [start] = probe.seen("SessionStart");
      expect(cleared.session_id).not.toBe(start?.session_id);
      expect(probe.seen("SessionEnd")).toMatchObject([{ reason: "clear", session_id: start?.session_id }]);
      await probe.ring();
      await probe.waitFor("a wake of the new conversation", (input) => {
        return input.hook_event_name === "UserPromptSubmit" && input.session_id === cleared.session_id;
      });
      await probe.waitFor("its turn to end", () => probe.seen("Stop").length === 3);
    },
    TIMEOUT,
  );
});
