import type { Hooks, ToolDefinition } from "@opencode-ai/plugin";
import { failureText } from "../../text/errors.ts";
import { chatTools } from "../../tools/all.ts";
import { type ChatTool, jsonSchemaOf, runTool } from "../../tools/tool.ts";
import type { HostedSession } from "./hosted.ts";
import type { Instance } from "./instance.ts";
import { toolName } from "./naming.ts";
import type { Runtime } from "./runtime.ts";
import { turnIdentity } from "./wake.ts";

/** The chat tools as opencode takes them. The caller is the session opencode names, never one the model claims. */
export function opencodeTools(runtime: Runtime, instance: Instance): NonNullable<Hooks["tool"]> {
  return Object.fromEntries(chatTools.map((tool) => [toolName(tool.verb), wrap(tool, runtime, instance)]));
}

function wrap(tool: ChatTool, runtime: Runtime, instance: Instance): ToolDefinition {
  return {
    description: tool.description(toolName),
    // Enough to call the tool by; `describeTool` sets what the model gets. The published type names opencode's own copy of zod.
    args: tool.schema.shape as unknown as ToolDefinition["args"],
    async execute(args, call) {
      const { enabled } = runtime.config();
      const session = enabled ? await caller(runtime, instance, call.sessionID) : null;
      const context = {
        chat: runtime.chat,
        sessionId: call.sessionID,
        toolName,
        describe: async () => {
          if (session === null) throw new Error(`${call.sessionID} is not hosted here`);
          return runtime.registrar.describe(session);
        },
      };
      const answer = await runTool(tool, context, args, { enabled, configFile: runtime.settings.configFile });
      if (answer.kind !== "done") {
        if (answer.kind === "failed") throw new Error(answer.text);
        return answer.text;
      }
      const { callID } = call as { callID?: string };
      if (callID !== undefined) keepAnswer(runtime, callID, answer.text);
      if (session !== null) {
        if (answer.membership !== undefined) session.name = answer.membership?.name ?? null;
        if (answer.echo !== undefined) await echo(runtime, session, answer.echo);
      }
      return { title: answer.text.split("\n", 1)[0] ?? "", output: answer.text };
    },
  };
}

/** What a hook on tool definitions may set; the published type lacks `jsonSchema`. */
type ToolText = Parameters<NonNullable<Hooks["tool.definition"]>>[1] & { jsonSchema?: unknown };

/**
 * Gives the model a tool's arguments with their descriptions and bounds, which opencode drops from the schemas of a plugin's own
 * copy of zod.
 */
export function describeTool(toolId: string, output: ToolText): void {
  const tool = chatTools.find((candidate) => toolName(candidate.verb) === toolId);
  if (tool) output.jsonSchema = jsonSchemaOf(tool);
}

/** Answers kept at a time: a turn that is aborted between a call and its result never fetches its own. */
const ANSWERS_KEPT = 20;

function keepAnswer({ answers }: Runtime, callId: string, text: string): void {
  answers.set(callId, text);
  const oldest = answers.keys().next();
  if (answers.size > ANSWERS_KEPT && !oldest.done) answers.delete(oldest.value);
}

/**
 * Puts back what opencode cut from a chat tool's answer: it cuts at 50 KB or 2,000 lines, and a message that was marked as read
 * must not be lost to its reader.
 */
export function restoreAnswer(runtime: Runtime, callId: string, output: { output: string }): void {
  const answer = runtime.answers.get(callId);
  if (answer === undefined) return;
  runtime.answers.delete(callId);
  output.output = answer;
}

/** The calling session. Rejects for a sub-agent's, which has no mailbox. */
async function caller(runtime: Runtime, instance: Instance, id: string): Promise<HostedSession> {
  const session = await runtime.registrar.resolve(instance, id);
  if (session !== null) {
    // A tool is called in a turn, also where no event has told of one.
    session.turn.answered(true);
    return session;
  }
  const parentId = runtime.hosted.parentOf(id);
  if (parentId !== null) throw new Error(failureText({ code: "child-session", parentId }, toolName));
  throw new Error(`opencode does not know the calling session ${id}.`);
}

/**
 * Shows the person a line in the transcript that no model gets. It is in place before the tool's result is: were it to come
 * while the model writes its last answer, opencode would ask the model again.
 */
async function echo(runtime: Runtime, session: HostedSession, text: string): Promise<void> {
  const client = session.instance?.client;
  if (!client) return;
  try {
    const identity = await turnIdentity(session, client);
    if (identity === null) return;
    await client.prompt(session.id, identity, [{ type: "text", text, ignored: true }], true);
  } catch (error) {
    runtime.log("echo", "the bubble was not shown; the call it mirrors went through", error);
  }
}
