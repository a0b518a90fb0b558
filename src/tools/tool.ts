import { config, type infer as Infer, safeParse, toJSONSchema, type ZodMiniObject } from "zod/mini";
import en from "zod/v4/locales/en.js";
import type { Chat } from "../chat/chat.ts";
import { ChatError } from "../core/errors.ts";
import type { NewSession } from "../core/session.ts";
import { disabledText, failureText, wrongArguments } from "../text/errors.ts";
import type { ToolNaming, Verb } from "../text/verbs.ts";

// The small build of zod, which a host loads in a quarter of the time, brings its messages only on request.
config(en());

/** Who calls a tool, and what the host lends it. */
export interface ToolContext {
  readonly chat: Chat;
  /** The calling session, as the host knows it; never something the model claimed. */
  readonly sessionId: string;
  readonly toolName: ToolNaming;
  /** What the host knows of the calling session; asked only when it registers. */
  describe(): Promise<NewSession>;
}

/** What a call came to. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  /** What the person sees of it in the transcript; absent where nothing was said. */
  readonly echo?: string;
  /** The directory row the caller has after this call, where the call changed it: null when it left. */
  readonly membership?: { readonly name: string } | null;
}

/** One chat tool, the same on every host. */
export interface ChatTool<Schema extends ZodMiniObject = ZodMiniObject> {
  readonly verb: Verb;
  readonly title: string;
  /** When to use it, and when not. */
  description(tool: ToolNaming): string;
  readonly schema: Schema;
  run(context: ToolContext, input: Infer<Schema>): Promise<ToolResult>;
}

/** What a tool answered: `failed` is a text the model can act on, and nothing happened. */
export type ToolAnswer =
  | ({ readonly kind: "done" } & ToolResult)
  | { readonly kind: "failed" | "disabled"; readonly text: string };

/**
 * Runs a tool for a host: refuses while chat is off, checks the arguments (hosts check them in part or not at all), and turns a
 * `ChatError` into its sentence. Any other error is a fault in
 * thatch or its host, and is passed on.
 */
export async function runTool<Schema extends ZodMiniObject>(
  tool: ChatTool<Schema>,
  context: ToolContext,
  input: unknown,
  gate: { readonly enabled: boolean; readonly configFile: string },
): Promise<ToolAnswer> {
  if (!gate.enabled) return { kind: "disabled", text: disabledText(gate.configFile) };
  const parsed = safeParse(tool.schema, withoutNulls(input));
  if (!parsed.success) return { kind: "failed", text: wrongArguments(parsed.error.issues) };
  try {
    return { kind: "done", ...(await tool.run(context, parsed.data)) };
  } catch (error) {
    if (error instanceof ChatError) return { kind: "failed", text: failureText(error.failure, context.toolName) };
    throw error;
  }
}

/** Models write null for an argument they leave out. No argument of these tools means anything by it. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** A tool's arguments as JSON Schema, the form in which a model gets them. */
export function jsonSchemaOf(tool: ChatTool): Record<string, unknown> {
  const { $schema, ...schema } = toJSONSchema(tool.schema);
  return schema;
}
