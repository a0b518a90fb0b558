// opencode's part of a session, played: for every line on standard input it hands the plugin a prompt of its user, an idle event and one
// call of each reading and writing tool, and prints as JSON what came of them. The argument is the database's path.
import { contained } from "../../../src/hosts/opencode/contained.ts";
import { followMessage } from "../../../src/hosts/opencode/message.ts";
import { opencodeTools } from "../../../src/hosts/opencode/tools.ts";
import { hostBed } from "../../hosts/opencode/bed.ts";

const bed = hostBed({}, { THATCH_DB_PATH: process.argv[2] ?? "" });
const session = bed.addSession("ses_played");
const tools = opencodeTools(bed.runtime, bed.instance);

async function call(tool: string, args: Record<string, unknown>): Promise<string> {
  try {
    const context = { sessionID: session.id } as Parameters<(typeof tools)[string]["execute"]>[1];
    const answer = await (tools[`thatch_chat_${tool}`] ?? fail(tool)).execute(args, context);
    return typeof answer === "string" ? answer : answer.output;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

// As the plugin's hooks do.
const { log } = bed.runtime;
const prompt = contained(log, "chat.message", (message: unknown) =>
  followMessage(bed.runtime, bed.instance, { sessionID: session.id }, message as never),
);
const idle = contained(log, "event", () => bed.status(session.id, "idle"));

console.log("ready");
for await (const _ of console) {
  const info = { id: "msg_1", role: "user", agent: "build", model: { providerID: "p", modelID: "m" } };
  const message = { message: info, parts: [{ type: "text", text: "hello" }] };
  const began = performance.now();
  await prompt(message);
  const promptMs = Math.round(performance.now() - began);
  const said: Record<string, string> = {};
  for (const [tool, args] of [
    ["status", {}],
    ["send", { to: "brook", body: "hello" }],
    ["read", {}],
  ] as const)
    said[tool] = await call(tool, args);
  await idle();
  console.log(JSON.stringify({ promptMs, said }));
}
bed.remove();
process.exit(0);

function fail(tool: string): never {
  throw new Error(`there is no tool ${tool}`);
}
