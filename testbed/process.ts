import { readFileSync } from "node:fs";
import { until } from "./wait.ts";

/** Collects what a process prints, and lets others look at it while it still runs. */
export class Output {
  text = "";
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = this.#collect(stream);
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.text += decoder.decode(chunk, { stream: true });
  }
}

/** Whether the process exists and has not ended yet; a zombie has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
  return stateOf(pid) !== "Z";
}

/** Asks the process to end, then kills it when it has not ended after `graceMs`. Resolves once it is gone. */
export async function end(
  pid: number,
  signal: "SIGTERM" | "SIGKILL" | "SIGHUP" = "SIGTERM",
  graceMs = 8000,
): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, signal);
  try {
    await until(`process ${pid} to end after ${signal}`, () => !isAlive(pid), graceMs);
  } catch (error) {
    if (signal === "SIGKILL") throw error;
    await end(pid, "SIGKILL", graceMs);
  }
}

/** The letter Linux gives to the process's state; undefined where there is no /proc, or no such process any more. */
function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).charAt(0);
  } catch {
    // No /proc on this platform, or the process ended in between: the caller's signal 0 has the last word.
    return undefined;
  }
}
