import { OPENCODE_BINARY } from "../testbed/home.ts";
import type { ModelRequest } from "../testbed/model.ts";
import { call, type Script, whenResultOf } from "../testbed/script.ts";
import type { Actor } from "./cast.ts";
import { isWake, lastResult } from "./story.ts";

/** What a model does for a person who types: it passes everything on, answers what it is asked, and tells what it was answered. */
export function liveScript(other: string): Script {
  return (request) => {
    if (isWake(request)) return call("thatch_chat_read");
    if (whenResultOf("thatch_chat_read")(request)) return afterReading(request);
    if (whenResultOf("thatch_chat_send")(request)) return { text: lastResult(request) };
    return call("thatch_chat_send", { to: other, body: request.lastUserText });
  };
}

function afterReading(request: ModelRequest) {
  const message = /--- \w+ #(\d+) from ([\w-]+),[^\n]*? ---\n([\s\S]*?)\n(?:===|---) \w+ /.exec(lastResult(request));
  const [header, id, from, body] = message ?? [];
  if (header === undefined || from === undefined) return { text: "There was no mail." };
  if (header.includes("answers #")) return { text: `${from} answered: ${body}` };
  return call("thatch_chat_send", { to: from, body: `You wrote "${body}". I heard you.`, reply_to: Number(id) });
}

/**
 * The command that opens this session in a terminal. It brings the whole environment with it, so that nothing of the person's own
 * opencode is read or written.
 */
export function attachCommand(actor: Actor): string {
  const variables = Object.entries(actor.home.env)
    .filter(([name]) => name !== "PATH")
    .map(([name, value]) => `${name}=${Bun.$.escape(value)}`);
  const words = [OPENCODE_BINARY, "attach", actor.serve.url, "--session", actor.sessionId, "--dir", actor.directory];
  return ['env -i PATH="$PATH" TERM="$TERM"', ...variables, ...words.map((word) => Bun.$.escape(word))].join(" ");
}
