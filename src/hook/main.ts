import { answerStdin } from "./answer.ts";

const { stdout, stderr, exitCode } = await answerStdin(
  process.argv[2] ?? "",
  process.env,
  process.ppid,
  process.argv.slice(3),
);
if (stdout !== "") await Bun.write(Bun.stdout, stdout);
if (stderr !== "") await Bun.write(Bun.stderr, stderr);
// An open standard input would keep the process waiting.
process.exit(exitCode);
