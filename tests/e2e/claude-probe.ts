import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ClaudeHome, makeClaudeHome } from "../../testbed/claude-home.ts";
import { until } from "../../testbed/wait.ts";
import type { Bed } from "./bed.ts";

/** What a hook was given on its standard input. */
export type HookInput = Readonly<Record<string, unknown>>;

/** A home of Claude Code with hooks that only write down what they get, and an MCP server with one tool. No thatch in it. */
export interface Probe {
  readonly home: ClaudeHome;
  /** Every hook input so far, oldest first; of one event if it is named. */
  seen(event?: string): HookInput[];
  /** The first hook input, past or future, that `accepts` accepts. */
  waitFor(description: string, accepts: (input: HookInput) => boolean): Promise<HookInput>;
  /** Changes the watched file, on which the FileChanged hook asks for a turn. */
  ring(): Promise<void>;
}

/** What the probe's hooks and its server say, for a test to find in the model's requests. */
export const START_CONTEXT = "probe: context of the start";
export const BATCH_CONTEXT = "probe: context after the tools";
export const RING_TEXT = "probe: the bell rang";
export const SERVER_TEXT = "probe: instructions of the server";
export const TOOL = "mcp__thatch__echo";

const EVENTS = [
  ...["SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "PreToolUse", "PostToolUse", "PostToolBatch"],
  ...["PreCompact", "PostCompact", "Notification", "SubagentStop"],
];

/** Writes its input as one line, and answers the events that a test looks for. $1 is the probe's folder. */
const HOOK = `#!/bin/sh
input=$(cat)
printf '%s\\n' "$input" >>"$1/events.jsonl"
case $input in
*'"hook_event_name":"SessionStart"'*) cat "$1/start.json" ;;
*'"hook_event_name":"PostToolBatch"'*) cat "$1/batch.json" ;;
*'"hook_event_name":"FileChanged"'*) echo '${RING_TEXT}' >&2; exit 2 ;;
esac
`;

const SERVER = `import { createInterface } from "node:readline";
const tools = [{ name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: { text: { type: "string" } } },
  _meta: { "anthropic/alwaysLoad": true } }];
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} },
    serverInfo: { name: "probe", version: "1" }, instructions: ${JSON.stringify(SERVER_TEXT)} }),
  "tools/list": () => ({ tools }),
  "tools/call": (p) => ({ content: [{ type: "text", text: "echo: " + p.arguments.text }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const rest = answer ? { result: answer(params) } : { error: { code: -32601, message: "no " + method } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
}
`;

/** Makes the home; `bed.close()` removes it. */
export async function makeProbe(bed: Bed, who: string): Promise<Probe> {
  const folder = join(bed.folder, who);
  const bell = join(folder, "bells", "one.bell");
  await mkdir(join(folder, "bells"), { recursive: true });
  const context = (hookEventName: string, additionalContext: string, more = {}) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext, ...more } });
  const hook = join(folder, "hook.sh");
  const server = join(folder, "server.mjs");
  await Promise.all([
    Bun.write(hook, HOOK),
    Bun.write(server, SERVER),
    Bun.write(join(folder, "start.json"), context("SessionStart", START_CONTEXT, { watchPaths: [bell] })),
    Bun.write(join(folder, "batch.json"), context("PostToolBatch", BATCH_CONTEXT)),
  ]);
  const command = { type: "command", command: "/bin/sh", args: [hook, folder], timeout: 10 };
  const home = await makeClaudeHome({
    modelUrl: bed.model.url(who).replace(/\/v1$/, ""),
    settings: {
      hooks: {
        ...Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [command] }]])),
        FileChanged: [{ hooks: [{ ...command, asyncRewake: true, rewakeSummary: "probe: rung" }] }],
      },
    },
    mcp: { mcpServers: { thatch: { command: process.execPath, args: [server] } } },
  });
  bed.onClose(() => home.remove());

  function seen(event?: string): HookInput[] {
    const file = join(folder, "events.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    const inputs = lines.map((line): HookInput => JSON.parse(line));
    return event === undefined ? inputs : inputs.filter((input) => input.hook_event_name === event);
  }

  let rings = 0;
  return {
    home,
    seen,
    waitFor: (description, accepts) => until(description, () => seen().find(accepts)),
    async ring() {
      rings += 1;
      await Bun.write(bell, `${rings}\n`);
    },
  };
}
