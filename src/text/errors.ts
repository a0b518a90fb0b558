import type { ChatFailure } from "../core/errors.ts";
import { nameList, quoted } from "./phrases.ts";
import type { ToolNaming } from "./verbs.ts";

/** What went wrong, with the value it went wrong on, and what to do next. */
export function failureText(failure: ChatFailure, tool: ToolNaming): string {
  switch (failure.code) {
    case "empty-body":
      return "The body is empty: nothing was sent. Say what you want the other session to know.";
    case "body-too-long":
      return `The body has ${failure.bytes} bytes of UTF-8, over the limit of ${failure.limit}: nothing was sent. Shorten it, or put it into a file and send the path.`;
    case "malformed-body":
      return `The body is not valid Unicode (half a surrogate pair at index ${failure.index}): nothing was sent. Remove that character.`;
    case "unknown-recipient":
      return failure.nearest.length === 0
        ? `No session is called ${quoted(failure.recipient)}: nothing was sent. ${tool("list")} shows who is here.`
        : `No session is called ${quoted(failure.recipient)}: nothing was sent. Nearest: ${failure.nearest.join(", ")}. ${tool("list")} shows who is here.`;
    case "ambiguous-recipient":
      return `${quoted(failure.recipient)} fits several sessions (${nameList(failure.matches)}): nothing was sent. Use one of these names.`;
    case "departed-recipient":
      return `${quoted(failure.recipient)} left the directory: nothing was sent. Names are never used again; ${tool("list")} shows who is here.`;
    case "not-registered":
      return `This session is not registered, so it has no mailbox. ${tool("register")} joins.`;
    case "self-recipient":
      return `${failure.name} is you: nothing was sent. ${tool("list")} shows who else is here.`;
    case "unknown-reply":
      return `reply_to ${failure.replyTo} is no message between you and ${failure.recipient}: nothing was sent. Use the #id that ${tool("read")} showed, or leave reply_to out.`;
    case "child-session":
      return `[refused] A sub-agent has no mailbox: chat belongs to the session that started it (${failure.parentId}). Return what you found to it instead.`;
    case "store-busy":
      return `The database ${failure.file} stayed locked for ${Math.round(failure.waitedMs / 100) / 10} s: nothing was changed. Try again in a moment.`;
    case "store-unavailable":
      return `The database ${failure.file} cannot be used (${failure.reason}): nothing was changed. Tell the user; the file is left as it is.`;
    case "store-too-new":
      return `The database ${failure.file} has schema ${failure.found}, newer than this thatch knows (${failure.supported}): nothing was changed. Tell the user to update thatch and restart this session.`;
  }
}

/** What every tool answers while chat is off. */
export function disabledText(configFile: string): string {
  return `[disabled] Cross-session chat is off: "chat": {"enabled": false} in ${configFile}. The user can set it to true; it works again at the next call.`;
}

/** What a tool answers to arguments that do not fit its schema. */
export function wrongArguments(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const faults = issues.map((issue) => `${issue.path.map(String).join(".") || "the arguments"}: ${issue.message}`);
  return `Wrong arguments (${faults.join("; ")}): nothing was done. Call again with arguments that fit the tool's schema.`;
}
