import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClaudeHome } from "../../testbed/claude-home.ts";
import { CLAUDE_BINARY } from "../../testbed/claude-home.ts";
import { end } from "../../testbed/process.ts";
import type { Terminal } from "../../testbed/terminal.ts";
import { until } from "../../testbed/wait.ts";
import { Bed } from "./bed.ts";

const TIMEOUT = 120_000;
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.open();
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

const names = () => bed.conversations().map(({ name, host_mode }) => `${name} ${host_mode}`);
const idOf = (name: string) =>
  String(bed.rows("SELECT session_id FROM chat_sessions WHERE name = ?", name)[0]?.session_id);

/** Gives a prompt and waits until the model was asked for it. */
async function prompt(tui: Terminal, who: string, text: string): Promise<void> {
  await tui.type(text);
  await tui.waitForScreen(new RegExp(text));
  await tui.key("Enter");
  await bed.model.waitFor(who, (request) => request.lastUserText.includes(text));
  await idle(who);
}

/** Waits until the turn that runs has ended: its mark is gone. */
async function idle(who: string): Promise<void> {
  await until(`${who} to be idle`, () => bed.conversations().every(({ busy_until }) => busy_until === null));
}

async function command(tui: Terminal, text: string): Promise<void> {
  await tui.type(text);
  await tui.waitForScreen(new RegExp(text));
  await tui.key("Enter");
}

test(
  "in the terminal a conversation is woken when idle, and stays itself through /clear, /compact and /background; /branch is another",
  async () => {
    const home = await bed.claudeHome("tui");
    const tui = await bed.claudeTui(home);
    await prompt(tui, "tui", "hello there");
    await until("it to be served", () => names().some((row) => row.endsWith(" served")));
    const [name = ""] = (names()[0] ?? "").split(" ");
    expect(names()).toEqual([`${name} served`]);

    bed.mail(idOf(name), "are you there?");
    await tui.waitForScreen(/thatch: mail from another session/);
    await bed.model.waitFor("tui", (request) => JSON.stringify(request.body).includes("[thatch] You have 1 unread"));
    await idle("tui");
    const before = idOf(name);

    await command(tui, "/clear");
    await until("the name to move to the new conversation", () => idOf(name) !== before);
    await prompt(tui, "tui", "after the clear");
    expect(names()).toEqual([`${name} served`]);
    // Its mail came along, and the new conversation's bell is the one that rings.
    expect(bed.rows("SELECT recipient_id FROM chat_messages")).toEqual([{ recipient_id: idOf(name) }]);
    bed.mail(idOf(name), "and now?");
    await bed.model.waitFor("tui", (request) =>
      JSON.stringify(request.body).includes("[thatch] You have 2 unread messages"),
    );
    await idle("tui");

    await command(tui, "/compact");
    await prompt(tui, "tui", "after the compaction");
    expect(names()).toEqual([`${name} served`]);

    await command(tui, "/branch");
    await until("the branch to be another session", () => bed.conversations().length === 2);
    await prompt(tui, "tui", "on the branch");
    await until("the branch to be served", () => names().some((row) => row.endsWith(" served")));
    expect(names().toSorted()).toContain(`${name} closed`);
    const branch = names()
      .find((row) => !row.startsWith(`${name} `))
      ?.split(" ")[0];
    expect(names()).toContain(`${branch} served`);
    const branchId = idOf(branch ?? "");

    try {
      await command(tui, "/background");
      await until("the branch to go on in the background", () => idOf(branch ?? "") !== branchId);
      await until("it to be served there", () => names().includes(`${branch} served`));
      expect(bed.conversations()).toHaveLength(2);
    } finally {
      await stopBackground(home);
    }
  },
  TIMEOUT,
);

/** Ends what Claude Code runs in the background of this home. */
async function stopBackground(home: ClaudeHome): Promise<void> {
  const daemon = Bun.spawn([CLAUDE_BINARY, "daemon", "stop"], {
    cwd: home.directory,
    env: home.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  await daemon.exited;
  for (const pid of backgroundPids(home)) await end(pid, "SIGKILL");
  // Its sockets stand there whatever TMPDIR says, under a name made of the config folder's.
  const name = new Bun.CryptoHasher("sha256")
    .update(home.env.CLAUDE_CONFIG_DIR ?? "")
    .digest("hex")
    .slice(0, 8);
  rmSync(join("/tmp", `cc-daemon-${process.getuid?.()}`, name), { recursive: true, force: true });
}

function backgroundPids(home: ClaudeHome): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        // The terminal around it has the same home.
        return (
          readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]?.includes("claude") &&
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home.root}\0`)
        );
      } catch {
        // It has ended, or is another user's.
        return false;
      }
    })
    .map(Number);
}
