import type { ModelRequest } from "./model.ts";

/** A call of one tool, as the model asks for it. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * What the model answers. Text may come in pieces, to keep a streaming answer open; `error` is an HTTP status that
 * opencode does not retry (400) or does (429, 500).
 */
export type Reply =
  | { readonly text: string | AsyncIterable<string> }
  | { readonly tools: readonly ToolCall[]; readonly text?: string }
  | { readonly error: number };

/** Decides the answer to every request of one `who`. Title requests never reach it. */
export type Script = (request: ModelRequest) => Reply | Promise<Reply>;

/** One use of a script: the answer to the first request that `when` accepts. */
export interface Step {
  readonly when?: (request: ModelRequest) => boolean;
  readonly reply: Reply | Script;
}

/** A script made of steps, and the steps that no request has used yet. */
export interface Queue extends Script {
  readonly unused: readonly Step[];
}

/** What a model says that has nothing left to do. */
export const DONE: Reply = { text: "Done." };

/**
 * Answers each request with the first unused step that accepts it, and uses that step up. Requests that no step accepts get
 * `otherwise`.
 */
export function queue(steps: readonly Step[], otherwise: Reply | Script = DONE): Queue {
  const unused = [...steps];
  const script: Script = (request) => {
    const index = unused.findIndex((step) => step.when?.(request) ?? true);
    const chosen = index < 0 ? otherwise : unused.splice(index, 1)[0]?.reply;
    return typeof chosen === "function" ? chosen(request) : (chosen ?? DONE);
  };
  return Object.assign(script, { unused });
}

/** Accepts a request whose last message is a user's that matches. */
export function whenSays(pattern: RegExp): (request: ModelRequest) => boolean {
  return (request) => request.messages.at(-1)?.role === "user" && pattern.test(request.lastUserText);
}

/** Accepts a request that brings the result of `tool` as its last message, matching if a pattern is given. */
export function whenResultOf(tool: string, pattern = /(?:)/): (request: ModelRequest) => boolean {
  return (request) => {
    const last = request.messages.at(-1);
    const result = request.toolResults.at(-1);
    return last?.role === "tool" && result?.tool === tool && pattern.test(result.text);
  };
}

/** A call of one tool, as a reply. */
export function call(name: string, args: Readonly<Record<string, unknown>> = {}): Reply {
  return { tools: [{ name, args }] };
}

/** A reply that is held back until it is released: the turn stays busy meanwhile. */
export function held(reply: Reply): { readonly reply: Script; readonly asked: Promise<ModelRequest>; release(): void } {
  const asked = Promise.withResolvers<ModelRequest>();
  const released = Promise.withResolvers<void>();
  return {
    asked: asked.promise,
    release: released.resolve,
    reply: async (request) => {
      asked.resolve(request);
      await released.promise;
      return reply;
    },
  };
}
