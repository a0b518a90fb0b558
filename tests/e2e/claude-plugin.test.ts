import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { CLAUDE_BINARY, type ClaudeHome } from "../../testbed/claude-home.ts";
import { call, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import { until } from "../../testbed/wait.ts";
import { Bed } from "./bed.ts";

const TIMEOUT = 90_000;
const ROOT = join(import.meta.dir, "..", "..");
let bed: Bed;
beforeAll(async () => {
  bed = await Bed.open();
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

async function run(home: ClaudeHome, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: home.directory, env: home.env, stdout: "pipe", stderr: "pipe" });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  if (code !== 0) throw new Error(`${command.join(" ")} failed: ${stdout}${stderr}`);
}

/** How often the last request holds the line that every prompt gets. */
const linesInLast = () => JSON.stringify(bed.model.turns("plugin").at(-1)?.body).split("[thatch] You are ").length - 1;

test(
  "the plugin alone brings the session in, tells it its name once a prompt and wakes it; with set-up beside it nothing comes twice",
  async () => {
    const home = await bed.bareClaudeHome("plugin");
    await run(home, CLAUDE_BINARY, "plugin", "marketplace", "add", ROOT);
    await run(home, CLAUDE_BINARY, "plugin", "install", "thatch@thatch");
    const alone = bed.claude(home, ["--allowedTools", "mcp__plugin_thatch_thatch__*"]);
    bed.model.script(
      "plugin",
      queue([
        { when: whenSays(/who are you/), reply: call("mcp__plugin_thatch_thatch__chat_status") },
        { when: whenSays(/\[thatch\] You have 1 unread/), reply: call("mcp__plugin_thatch_thatch__chat_read") },
      ]),
    );
    alone.prompt("who are you?");
    await alone.turns(1);
    const [row] = bed.conversations();
    const status = bed.model.turns("plugin").find(whenResultOf("mcp__plugin_thatch_thatch__chat_status"));
    expect(status?.toolResults.at(-1)?.text).toContain(`Registered as ${row?.name}.`);
    bed.mail(String(row?.session_id), "hello");
    await bed.model.waitFor("plugin", whenResultOf("mcp__plugin_thatch_thatch__chat_read", /hello/));
    await alone.close();

    await run(home, join(ROOT, "bin", "thatch"), "setup", "claude-code");
    const both = bed.claude(home, ["-c"]);
    both.prompt("and with both?");
    await both.turns(1);
    const lines = linesInLast();
    both.prompt("and once more?");
    await both.turns(2);
    // One more line for one more prompt; what came before stays in the conversation.
    expect(linesInLast() - lines).toBe(1);
    expect(bed.conversations()).toHaveLength(1);
    await until("one server at least to answer for it", () => bed.conversations()[0]?.host_mode === "served");
    await both.close();
  },
  TIMEOUT,
);
