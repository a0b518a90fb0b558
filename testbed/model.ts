import { messagesAnswer } from "./messages-reply.ts";
import { parseMessagesBody } from "./messages-request.ts";
import { completion, stream } from "./model-reply.ts";
import { type Body, parseBody, type Tool, type ToolResult, textOf, toolResultsOf } from "./model-request.ts";
import { DONE, type Script } from "./script.ts";
import { until } from "./wait.ts";

/** One request as the model received it. */
export interface ModelRequest {
  /** Which opencode process asked: the label in its base URL. */
  readonly who: string;
  /** Milliseconds since the epoch, with a fraction, on the clock of this process. */
  readonly at: number;
  /** `title`: opencode asks for a session's title. `summary`: it compacts a session. `turn`: everything else. */
  readonly kind: "title" | "summary" | "turn";
  readonly model: string;
  /** All system text, in the order it was sent. */
  readonly system: string;
  readonly messages: Body["messages"];
  readonly tools: readonly Tool[];
  /** Text of the last user message. */
  readonly lastUserText: string;
  /** Every tool result of the conversation so far, oldest first. */
  readonly toolResults: readonly ToolResult[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** A stand-in for a model provider: it says what its scripts say, and remembers everything it was asked. */
export interface Model {
  /** The base URL to give to the opencode process that is to be known as `who`. */
  url(who: string): string;
  /** Sets what `who` is answered from now on. Without a script every turn ends with "Done." */
  script(who: string, script: Script): void;
  /** Sets the title that sessions of `who` get; without it, `Work of <who>`. */
  title(who: string, title: string): void;
  /** Everything that was asked, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The requests of `who`'s turns, oldest first. */
  turns(who: string): readonly ModelRequest[];
  /** The first turn request of `who`, past or future, that `accepts` accepts. */
  waitFor(who: string, accepts: (request: ModelRequest) => boolean, timeoutMs?: number): Promise<ModelRequest>;
  /** What went wrong inside since this was last asked: scripts that threw, requests that made no sense. */
  takeFaults(): string[];
  stop(): Promise<void>;
}

/** How the instructions begin that opencode 1.18 gives to its hidden agents; the title request also carries no tools. */
const TITLE_INSTRUCTIONS = "You are a title generator";
/** Models that only Claude Code asks for here. */
const CLAUDE = /^claude-/;
const SUMMARY_INSTRUCTIONS = "You are a context summarization agent";

/** Starts the stand-in on a free port of the loopback interface. It speaks `/v1/chat/completions` and Anthropic's `/v1/messages`, streaming or not. */
export async function startModel(): Promise<Model> {
  const requests: ModelRequest[] = [];
  const faults: string[] = [];
  const scripts = new Map<string, Script>();
  const titles = new Map<string, string>();

  async function answer(request: Request): Promise<Response> {
    const match = /^\/([^/]+)\/v1\/(chat\/completions|messages|messages\/count_tokens)$/.exec(
      new URL(request.url).pathname,
    );
    const [, who, endpoint] = match ?? [];
    // Claude Code asks whether the server is there at all.
    if (request.method === "HEAD") return new Response(null);
    if (who === undefined || request.method !== "POST") {
      faults.push(`unexpected ${request.method} ${request.url}`);
      return new Response("Only POST to /<who>/v1/chat/completions and /<who>/v1/messages is served.", { status: 404 });
    }
    if (endpoint === "messages/count_tokens") return Response.json({ input_tokens: 10 });
    const parse = endpoint === "messages" ? parseMessagesBody : parseBody;
    const asked = record(who, parse(await request.text()), request.headers);
    requests.push(asked);
    const script = scripts.get(who);
    const reply =
      asked.kind === "title"
        ? { text: titles.get(who) ?? `Work of ${who}` }
        : asked.kind === "summary"
          ? { text: "Summary of the work so far." }
          : ((await script?.(asked)) ?? DONE);
    if (endpoint === "messages") return messagesAnswer(reply, asked.model, asked.body.stream === true);
    return asked.body.stream === true ? stream(reply, asked.model) : completion(reply, asked.model);
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: answer,
    error(error) {
      faults.push(String(error));
      return new Response(`The scripted model failed: ${error.message}`, { status: 400 });
    },
  });

  function turns(who: string): readonly ModelRequest[] {
    return requests.filter((request) => request.who === who && request.kind === "turn");
  }

  return {
    url: (who) => `http://127.0.0.1:${server.port}/${who}/v1`,
    script: (who, script) => void scripts.set(who, script),
    title: (who, title) => void titles.set(who, title),
    requests,
    turns,
    takeFaults: () => faults.splice(0),
    waitFor: (who, accepts, timeoutMs) =>
      until(`a model request of ${who}`, () => turns(who).find(accepts), timeoutMs).catch((error: Error) => {
        const seen = turns(who).map((request) => request.lastUserText.slice(0, 120));
        throw new Error(`${error.message} ${who} asked ${seen.length} times: ${JSON.stringify(seen)}`);
      }),
    stop: () => server.stop(true),
  };
}

function record(who: string, body: Body, headers: Headers): ModelRequest {
  const system = body.messages
    .filter((message) => message.role === "system")
    .map(textOf)
    .join("\n\n");
  const lastUser = body.messages.findLast((message) => message.role === "user");
  return {
    who,
    at: performance.timeOrigin + performance.now(),
    // Claude Code asks for titles and the like without giving tools.
    kind:
      system.startsWith(TITLE_INSTRUCTIONS) || (CLAUDE.test(body.model) && (body.tools ?? []).length === 0)
        ? "title"
        : system.startsWith(SUMMARY_INSTRUCTIONS)
          ? "summary"
          : "turn",
    model: body.model,
    system,
    messages: body.messages,
    tools: body.tools ?? [],
    lastUserText: lastUser === undefined ? "" : textOf(lastUser),
    toolResults: toolResultsOf(body.messages),
    headers: Object.fromEntries(headers),
    body,
  };
}
