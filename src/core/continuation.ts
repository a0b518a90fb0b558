/** How many sessions back a conversation is followed. */
export const LONGEST_CHAIN = 10;

/** A mark that the host leaves in the transcript of a conversation that goes on elsewhere. */
interface ContinuedIn {
  readonly sessionId: string;
  readonly continuedInSessionId: string;
}

/** The session that says in this part of a transcript that it is continued in `sessionId`; null when none does. Lines that are no such record are passed over. */
export function continuedFrom(transcript: string, sessionId: string): string | null {
  for (const line of transcript.split("\n")) {
    if (!line.includes('"continued-in"') || !line.includes(sessionId)) continue;
    const record = parse(line);
    if (record !== null && record.continuedInSessionId === sessionId && record.sessionId !== sessionId)
      return record.sessionId;
  }
  return null;
}

function parse(line: string): ContinuedIn | null {
  try {
    const record: unknown = JSON.parse(line);
    return isContinuedIn(record) ? record : null;
  } catch {
    // The tail of a large transcript begins in the middle of a line, and a crash may have cut the last one.
    return null;
  }
}

function isContinuedIn(record: unknown): record is ContinuedIn {
  if (typeof record !== "object" || record === null) return false;
  const { type, sessionId, continuedInSessionId } = record as Record<string, unknown>;
  return type === "continued-in" && typeof sessionId === "string" && typeof continuedInSessionId === "string";
}
