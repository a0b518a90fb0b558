import type { Reply } from "./script.ts";

/** Reported for every answer; far from any limit. */
const USAGE = { input_tokens: 10, output_tokens: 5 };

/** The answer as Anthropic's Messages API gives it, streamed or whole. */
export async function messagesAnswer(reply: Reply, model: string, streamed: boolean): Promise<Response> {
  if ("error" in reply) {
    const error = { type: "scripted_error", message: `The script answers with status ${reply.error}.` };
    return Response.json({ type: "error", error }, { status: reply.error });
  }
  const blocks = await blocksOf(reply);
  const message = {
    id: `msg_${crypto.randomUUID()}`,
    type: "message",
    role: "assistant",
    model,
    content: blocks,
    stop_reason: "tools" in reply ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: USAGE,
  };
  return streamed ? eventStream(message) : Response.json(message);
}

interface Block {
  readonly type: "text" | "tool_use";
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
}

async function blocksOf(reply: Exclude<Reply, { readonly error: number }>): Promise<Block[]> {
  let text = "";
  if (typeof reply.text === "string") text = reply.text;
  else if (reply.text !== undefined) for await (const piece of reply.text) text += piece;
  const calls = "tools" in reply ? reply.tools : [];
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ name, args }) => ({
      type: "tool_use" as const,
      id: `toolu_${crypto.randomUUID()}`,
      name,
      input: args,
    })),
  ];
}

function eventStream(message: { readonly content: readonly Block[]; readonly stop_reason: string }): Response {
  const events: string[] = [];
  const emit = (type: string, more: object) =>
    void events.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  emit("message_start", { message: { ...message, content: [], stop_reason: null } });
  message.content.forEach((block, index) => {
    const start = block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
    const delta =
      block.type === "text"
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    emit("content_block_start", { index, content_block: start });
    emit("content_block_delta", { index, delta });
    emit("content_block_stop", { index });
  });
  emit("message_delta", { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: USAGE });
  emit("message_stop", {});
  return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
}
