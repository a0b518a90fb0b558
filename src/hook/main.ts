import { runHook } from "../hosts/claude-code/run-hook.ts";
import { readStdin } from "../platform/stdin.ts";

/** Whoever starts a hook may keep its standard input open. */
const STDIN_PATIENCE_MS = 2_000;

/** The hosts whose hooks there are. A hook of another one, from a newer or older set-up, says nothing. */
const hosts: Readonly<Record<string, typeof runHook>> = { "claude-code": runHook };

const run = hosts[process.argv[2] ?? ""];
if (run) {
  const { stdout, stderr, exitCode } = await run(await readStdin(STDIN_PATIENCE_MS), process.env, process.ppid);
  if (stdout !== "") await Bun.write(Bun.stdout, stdout);
  if (stderr !== "") await Bun.write(Bun.stderr, stderr);
  process.exit(exitCode);
}
