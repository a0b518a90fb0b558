/** What Claude Code tells a hook. Fields that an event does not have are absent. */
export interface HookPayload {
  readonly event: string;
  /** Claude Code's own id of the conversation. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly transcriptPath: string | null;
  /** Present in a sub-agent only. */
  readonly agentId: string | null;
  /** SessionStart: startup, resume, clear, compact or fork. */
  readonly source: string | null;
  /** SessionEnd: clear, resume, prompt_input_exit, other. */
  readonly reason: string | null;
  /** Stop: this turn went on because of a Stop hook. */
  readonly stopHookActive: boolean;
  readonly toolName: string | null;
  /** FileChanged: the file, and what became of it (add, change, unlink). */
  readonly filePath: string | null;
  readonly fileEvent: string | null;
  /** The conversation's title, once it has one. */
  readonly title: string | null;
  /** Notification: what it is about, such as idle_prompt. */
  readonly notificationType: string | null;
}

/** Reads the JSON of a hook's standard input. Throws with the reason when it is none, or names no event or session. */
export function parsePayload(text: string): HookPayload {
  const record: unknown = JSON.parse(text);
  if (typeof record !== "object" || record === null || Array.isArray(record))
    throw new Error("it is not a JSON object");
  const fields = record as Record<string, unknown>;
  const string = (key: string): string | null => {
    const value = fields[key];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const event = string("hook_event_name");
  const sessionId = string("session_id");
  if (event === null || sessionId === null) throw new Error("it has no hook_event_name or no session_id");
  return {
    event,
    sessionId,
    cwd: string("cwd") ?? "",
    transcriptPath: string("transcript_path"),
    agentId: string("agent_id"),
    source: string("source"),
    reason: string("reason"),
    stopHookActive: fields.stop_hook_active === true,
    toolName: string("tool_name"),
    filePath: string("file_path"),
    fileEvent: string("event"),
    title: string("session_title"),
    notificationType: string("notification_type"),
  };
}
