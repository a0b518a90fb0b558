import type { ModelRequest } from "../testbed/model.ts";
import { call, queue, type Script, whenResultOf, whenSays } from "../testbed/script.ts";

/** What the person says, and what the sessions say to each other. */
export const LINES = {
  person: "Ask the other session whether the release is green.",
  question: "Is the release green? The person here wants to deploy the website.",
  answer: "Green: all 412 checks of 2.0 passed at noon. Deploy when you like.",
  report: "The release is green: all 412 checks passed at noon. You can deploy.",
} as const;

/** One moment of the story: it happened when a request that `seen` accepts reached this session's model. */
export interface Step {
  readonly who: "website" | "release";
  readonly what: string;
  seen(request: ModelRequest): boolean;
}

/** The moments that make the demo a success, in their order. `asker` and `asked` are the sessions' names. */
export function storySteps(asker: string, asked: string): readonly Step[] {
  const result =
    (tool: string, ...parts: string[]) =>
    (request: ModelRequest) =>
      whenResultOf(`thatch_chat_${tool}`)(request) && parts.every((part) => lastResult(request).includes(part));
  return [
    {
      who: "website",
      what: "sees the other session in the roster",
      seen: result("list", `- ${asked} `, `- ${asker} (you)`),
    },
    { who: "website", what: "has its question stored", seen: result("send", `Stored as #1 for ${asked}.`) },
    { who: "release", what: "is woken", seen: (request) => isWakeFrom(request, asker) },
    { who: "release", what: "reads the question", seen: result("read", `#1 from ${asker},`, `\n${LINES.question}\n`) },
    { who: "release", what: "has its answer stored", seen: result("send", `Stored as #2 for ${asker}.`) },
    { who: "website", what: "is woken", seen: (request) => isWakeFrom(request, asked) },
    {
      who: "website",
      what: "reads the answer",
      seen: result("read", `#2 from ${asked},`, "answers #1", `\n${LINES.answer}\n`),
    },
  ];
}

/** What the model of the session does that is asked by its person. */
export function askerScript(asked: string): Script {
  return queue([
    { when: whenSays(/Ask the other session/), reply: call("thatch_chat_list") },
    { when: whenResultOf("thatch_chat_list"), reply: call("thatch_chat_send", { to: asked, body: LINES.question }) },
    { when: whenResultOf("thatch_chat_send"), reply: { text: "I asked; the answer will come." } },
    { when: isWake, reply: call("thatch_chat_read") },
    { when: whenResultOf("thatch_chat_read"), reply: { text: LINES.report } },
  ]);
}

/** What the model of the other session does. */
export function askedScript(asker: string): Script {
  return queue([
    { when: isWake, reply: call("thatch_chat_read") },
    {
      when: whenResultOf("thatch_chat_read"),
      reply: call("thatch_chat_send", { to: asker, body: LINES.answer, reply_to: 1 }),
    },
    { when: whenResultOf("thatch_chat_send"), reply: { text: "I answered." } },
  ]);
}

/** Whether a wake of thatch started this turn. */
export function isWake(request: ModelRequest): boolean {
  return request.messages.at(-1)?.role === "user" && /^\[thatch\] You have \d+ unread/.test(request.lastUserText);
}

function isWakeFrom(request: ModelRequest, name: string): boolean {
  return isWake(request) && request.lastUserText.includes(` from ${name}.`);
}

/** The result that this request brings to the model. */
export function lastResult(request: ModelRequest): string {
  return request.toolResults.at(-1)?.text ?? "";
}
