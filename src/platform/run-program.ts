/** How a program ended: its output, or why there is none. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Runs a program to its end with this input, and ends it after `timeoutMs`. Never throws. */
export async function runProgram(command: readonly string[], timeoutMs: number, input = ""): Promise<ProgramEnd> {
  try {
    const child = Bun.spawn([...command], {
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: timeoutMs,
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
    if (child.signalCode !== null) {
      return { kind: "failed", reason: `it was ended by ${child.signalCode} after at most ${timeoutMs / 1000} s` };
    }
    return { kind: "ended", code: child.exitCode ?? 1, stdout, stderr };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
