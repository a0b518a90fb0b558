import { Server } from "@modelcontextprotocol/server";
import type { Chat } from "../../chat/chat.ts";
import { ChatError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { ChatConfig } from "../../platform/config.ts";
import { failureText, wrongArguments } from "../../text/errors.ts";
import { AS_ARGUMENT, mcpInstructions } from "../../text/mcp.ts";
import { mcpToolName, type Verb } from "../../text/verbs.ts";
import { chatTools } from "../../tools/all.ts";
import { type ChatTool, jsonSchemaOf, runTool } from "../../tools/tool.ts";
import type { Caller, Callers } from "./callers.ts";

/** What the server works with. */
export interface ServerContext {
  readonly chat: Chat;
  readonly callers: Callers;
  readonly log: Log;
  readonly version: string;
  readonly configFile: string;
  config(): ChatConfig;
}

/** Tools whose definition a host that defers definitions is to load at once. */
const ALWAYS_LOADED: readonly Verb[] = ["send", "read", "list"];
const READ_ONLY: readonly Verb[] = ["list", "status"];
const IDEMPOTENT: readonly Verb[] = ["register", "unregister", "list", "status"];

/** An MCP server with the seven chat tools; each connection gets one of its own. */
export function createChatServer(context: ServerContext): Server {
  const server = new Server(
    { name: "thatch", title: "thatch", version: context.version },
    { capabilities: { tools: {} }, instructions: context.config().enabled ? mcpInstructions() : "" },
  );
  server.setRequestHandler("tools/list", () => ({ tools: chatTools.map(definition) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = chatTools.find((candidate) => mcpToolName(candidate.verb) === params.name);
    if (tool === undefined) return failed(`There is no tool ${JSON.stringify(params.name)}.`);
    try {
      return await call(context, tool, params.arguments ?? {}, params._meta ?? {});
    } catch (error) {
      context.log("mcp", `${params.name} failed`, error);
      // Who calls is looked up in the store, too.
      if (error instanceof ChatError) return failed(failureText(error.failure, mcpToolName));
      return failed(`${params.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return server;
}

function definition(tool: ChatTool) {
  const schema = jsonSchemaOf(tool);
  const properties = { ...(schema.properties as object), as: { type: "string", description: AS_ARGUMENT } };
  const { verb, title } = tool;
  return {
    name: mcpToolName(verb),
    title,
    description: tool.description(mcpToolName),
    inputSchema: { ...schema, type: "object" as const, properties },
    annotations: {
      title,
      readOnlyHint: READ_ONLY.includes(verb),
      destructiveHint: verb === "unregister",
      idempotentHint: IDEMPOTENT.includes(verb),
      openWorldHint: false,
    },
    ...(ALWAYS_LOADED.includes(verb) ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
}

async function call(
  context: ServerContext,
  tool: ChatTool,
  given: Record<string, unknown>,
  meta: Record<string, unknown>,
) {
  const { as, ...input } = given;
  const { enabled } = context.config();
  // Models leave a text out by null or an empty one.
  const name = as ?? "";
  if (enabled && typeof name !== "string") return failed(wrongArguments([{ path: ["as"], message: "it is no text" }]));
  const claimed = typeof name === "string" ? name.trim() || null : null;
  const caller: Caller = enabled
    ? await context.callers.resolve({ claimed, meta })
    : { kind: "session", sessionId: "", describe: () => Promise.reject(new Error("chat is off")) };
  if (caller.kind === "refused") return failed(caller.reason);
  const answer = await runTool(
    tool,
    { chat: context.chat, sessionId: caller.sessionId, toolName: mcpToolName, describe: caller.describe },
    input,
    { enabled, configFile: context.configFile },
  );
  return answer.kind === "failed" ? failed(answer.text) : { content: [{ type: "text" as const, text: answer.text }] };
}

/** Text alone: where there is structured content too, hosts show the model only that. */
function failed(text: string) {
  return { content: [{ type: "text" as const, text }], isError: true };
}
