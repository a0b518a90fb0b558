import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { continuedFrom, LONGEST_CHAIN } from "../../core/continuation.ts";
import type { Log } from "../../core/log.ts";

/** The mark stands at the end of a transcript, which may have many megabytes: so much of its end is read. */
const TAIL_BYTES = 64 * 1024;
/** The mark was written when the conversation went on, so the transcripts that changed last are enough. */
const NEWEST_TRANSCRIPTS = 64;

/**
 * The conversations that this one continues, nearest first, by the marks in the transcripts beside its own: at most ten, none twice.
 * What cannot be read is logged and passed over.
 */
export function* predecessors(sessionId: string, transcriptPath: string, log: Log): Generator<string> {
  const tails = readTails(dirname(transcriptPath), log);
  const seen = new Set([sessionId]);
  let current = sessionId;
  for (let hop = 0; hop < LONGEST_CHAIN; hop++) {
    const older = tails.map((tail) => continuedFrom(tail, current)).find((found) => found !== null);
    if (older == null || seen.has(older)) return;
    seen.add(older);
    yield older;
    current = older;
  }
}

function readTails(folder: string, log: Log): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name))
      .map((file) => ({ file, changed: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, NEWEST_TRANSCRIPTS)
      .map(({ file }) => readTail(file, log));
  } catch (error) {
    // A conversation that has not said anything yet has no folder.
    log("hook", `${folder} cannot be read; no older conversation is looked for`, error);
    return [];
  }
}

function readTail(file: string, log: Log): string {
  try {
    const descriptor = openSync(file, "r");
    try {
      const { size } = fstatSync(descriptor);
      const bytes = new Uint8Array(Math.min(size, TAIL_BYTES));
      const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
      return new TextDecoder().decode(bytes.subarray(0, read));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    log("hook", `${file} cannot be read; it is passed over`, error);
    return "";
  }
}
