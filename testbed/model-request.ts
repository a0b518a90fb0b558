/** One message of a request, as the OpenAI chat completions API has it. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** A tool definition as the model receives it. */
export interface Tool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The part of a request body that the stand-in reads. */
export interface Body {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  readonly stream?: boolean;
}

/** What a tool answered, with the tool's name taken from the call it belongs to. */
export interface ToolResult {
  readonly tool: string;
  readonly text: string;
}

/** Reads a request body; throws, with its beginning, when it is not a chat completion request. */
export function parseBody(text: string): Body {
  const body: unknown = JSON.parse(text);
  if (!isBody(body)) throw new Error(`Not a chat completion request: ${text.slice(0, 200)}`);
  return body;
}

/** The text of a message, its parts joined by line breaks. */
export function textOf(message: ChatMessage): string {
  if (typeof message.content === "string") return message.content;
  return (message.content ?? []).map((part) => part.text ?? `[${part.type}]`).join("\n");
}

/** Every tool result in `messages`, oldest first. */
export function toolResultsOf(messages: readonly ChatMessage[]): ToolResult[] {
  const names = new Map<string, string>();
  const results: ToolResult[] = [];
  for (const message of messages) {
    for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    if (message.role === "tool") {
      results.push({ tool: names.get(message.tool_call_id ?? "") ?? "", text: textOf(message) });
    }
  }
  return results;
}

function isBody(value: unknown): value is Body {
  return (
    typeof value === "object" &&
    value !== null &&
    "model" in value &&
    typeof value.model === "string" &&
    "messages" in value &&
    Array.isArray(value.messages)
  );
}
