import type { Body, ChatMessage, Tool } from "./model-request.ts";

/** A part of a message, as Anthropic's Messages API has it. */
interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

interface MessagesBody {
  readonly model: string;
  readonly system?: string | readonly Block[];
  readonly messages: readonly {
    readonly role: "user" | "assistant" | "system";
    readonly content: string | readonly Block[];
  }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input_schema?: Tool["function"]["parameters"];
  }[];
  readonly stream?: boolean;
}

/** Reads a request of Anthropic's Messages API into the form of a chat completion request, so that one script serves both. */
export function parseMessagesBody(text: string): Body {
  const body: unknown = JSON.parse(text);
  if (!isMessagesBody(body)) throw new Error(`Not a Messages request: ${text.slice(0, 200)}`);
  const system: ChatMessage[] =
    body.system === undefined ? [] : [{ role: "system", content: textOfBlocks(body.system) }];
  // Reminders stand between the messages as the system's; a script asks what the last message is.
  const spoken = body.messages.filter(({ role }) => role !== "system");
  const reminders = body.messages.filter(({ role }) => role === "system");
  return {
    model: body.model,
    messages: [...system, ...[...reminders, ...spoken].flatMap(({ role, content }) => converted(role, content))],
    tools: (body.tools ?? []).map(({ name, description = "", input_schema = {} }) => ({
      type: "function",
      function: { name, description, parameters: input_schema },
    })),
    stream: body.stream === true,
  };
}

/** The text that comes with tool results is put before them: a script asks what the last message is. */
function converted(role: "user" | "assistant" | "system", content: string | readonly Block[]): ChatMessage[] {
  if (typeof content === "string") return [{ role, content }];
  const texts = content.filter((block) => block.type === "text");
  const results = content.filter((block) => block.type === "tool_result");
  const calls = content.filter((block) => block.type === "tool_use");
  const message: ChatMessage = {
    role,
    content: texts.map(({ text = "" }) => ({ type: "text", text })),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id = "", name = "", input }) => ({
            id,
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
  };
  return [
    ...(texts.length + calls.length > 0 || results.length === 0 ? [message] : []),
    ...results.map(
      ({ tool_use_id = "", content: result = "" }): ChatMessage => ({
        role: "tool",
        tool_call_id: tool_use_id,
        content: textOfBlocks(result),
      }),
    ),
  ];
}

function textOfBlocks(content: string | readonly Block[]): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

function isMessagesBody(value: unknown): value is MessagesBody {
  return (
    typeof value === "object" &&
    value !== null &&
    "model" in value &&
    "messages" in value &&
    Array.isArray(value.messages)
  );
}
