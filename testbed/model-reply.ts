import type { Reply } from "./script.ts";

type Answer = Exclude<Reply, { readonly error: number }>;

/** Reported for every answer; far from any limit, so that no session is ever compacted by itself. */
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The answer as one JSON document. */
export async function completion(reply: Reply, model: string): Promise<Response> {
  if ("error" in reply) return failure(reply.error);
  const message = { role: "assistant", content: await wholeText(reply), tool_calls: toolCalls(reply) };
  const choices = [{ index: 0, message, finish_reason: finishReason(reply) }];
  return Response.json({ id: newId(), object: "chat.completion", created: seconds(), model, choices, usage: USAGE });
}

/** The answer as server-sent events, the way the API streams it. */
export function stream(reply: Reply, model: string): Response {
  return "error" in reply ? failure(reply.error) : streamed(reply, model);
}

function streamed(reply: Answer, model: string): Response {
  const head = { id: newId(), object: "chat.completion.chunk", created: seconds(), model };
  async function* events(): AsyncGenerator<string> {
    const chunk = (delta: unknown, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    yield chunk({ role: "assistant", content: "" });
    for await (const content of pieces(reply)) yield chunk({ content });
    const calls = toolCalls(reply);
    if (calls !== undefined) yield chunk({ tool_calls: calls });
    yield chunk({}, finishReason(reply));
    yield `data: ${JSON.stringify({ ...head, choices: [], usage: USAGE })}\n\n`;
    yield "data: [DONE]\n\n";
  }
  const source = events();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

function failure(status: number): Response {
  const error = { message: `The script answers with status ${status}.`, type: "scripted_error", code: String(status) };
  return Response.json({ error }, { status });
}

async function* pieces(reply: Answer): AsyncGenerator<string> {
  if (reply.text === undefined) return;
  if (typeof reply.text === "string") yield reply.text;
  else yield* reply.text;
}

async function wholeText(reply: Answer): Promise<string> {
  let text = "";
  for await (const piece of pieces(reply)) text += piece;
  return text;
}

function toolCalls(reply: Reply): unknown[] | undefined {
  if (!("tools" in reply)) return undefined;
  return reply.tools.map(({ name, args }, index) => ({
    index,
    id: `call_${crypto.randomUUID()}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
}

function finishReason(reply: Reply): string {
  return "tools" in reply ? "tool_calls" : "stop";
}

function newId(): string {
  return `chatcmpl-${crypto.randomUUID()}`;
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
