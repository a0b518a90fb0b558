import { conversationId } from "../../platform/conversation-id.ts";

/** The session that a host states with each call, as its id in the directory; null where it states none. */
export function sessionOfMeta(meta: Readonly<Record<string, unknown>>): string | null {
  const opencode = meta["ai.opencode/sessionID"];
  if (typeof opencode === "string" && opencode !== "") return opencode;
  const codex = meta["x-codex-turn-metadata"];
  if (typeof codex === "object" && codex !== null) {
    const { session_id: id } = codex as Record<string, unknown>;
    if (typeof id === "string" && id !== "") return conversationId(id);
  }
  return null;
}
