import { describe, expect, test } from "bun:test";
import { parseOpencodeCommandLine, splitProcCmdline, splitPsArgs } from "../../src/core/command-line.ts";

const session = (id: string) => ({ kind: "session", id }) as const;
const latest = { kind: "latest" } as const;

describe("what a terminal continues", () => {
  const table: [args: string[], continues: ReturnType<typeof parseOpencodeCommandLine>["continues"]][] = [
    [[], null],
    [["-s", "ses_1"], session("ses_1")],
    [["--session", "ses_1"], session("ses_1")],
    [["--session=ses_1"], session("ses_1")],
    [["-c"], latest],
    [["--continue"], latest],
    [["-c", "-s", "ses_1"], session("ses_1")],
    [["-s", "ses_1", "-c"], session("ses_1")],
    [["--port", "4096", "-s", "ses_1", "--model", "a/b"], session("ses_1")],
    [["/some/project", "--print-logs", "-c"], latest],
    [["-m", "a/b", "-c", "--hostname=0.0.0.0"], latest],
    [["--prompt", "-s ses_1", "--agent", "-s"], null],
    [["--prompt=-c"], null],
    [["--", "-c"], null],
    [["-s"], null],
    [["-s", "ses_1", "--fork"], null],
    [["-c", "--fork"], null],
    [["--continue=false"], null],
    [["run", "-s", "ses_1", "do it"], session("ses_1")],
    [["run", "do", "-c", "it"], latest],
    [["run", "--", "do", "-c", "it"], null],
    [["--log-level", "DEBUG", "--continue", "/p"], latest],
  ];
  for (const [args, continues] of table) {
    test(args.join(" ") || "nothing", () =>
      expect(parseOpencodeCommandLine(["/opt/opencode", ...args]).continues).toEqual(continues),
    );
  }
});

describe("how the process runs", () => {
  const table: [argv: string[], mode: string][] = [
    [["opencode"], "tui"],
    [["opencode", "/project"], "tui"],
    [["opencode", "serve", "--port", "0"], "serve"],
    [["opencode", "--print-logs", "serve"], "serve"],
    [["opencode", "web"], "serve"],
    [["opencode", "run", "serve the cake"], "run"],
    [["opencode", "run", "-i"], "tui"],
    [["opencode", "acp"], "tui"],
    [["opencode", "--prompt", "serve"], "tui"],
    [["opencode", "--port", "1", "run", "x"], "run"],
    [["node", "/usr/lib/node_modules/opencode-ai/bin/opencode", "serve"], "serve"],
    [["/with space/bin/opencode.exe", "run", "x"], "run"],
    [["bun", "/x/opencode-linux-x64/bin/opencode", "web"], "serve"],
    [[], "tui"],
  ];
  for (const [argv, mode] of table)
    test(argv.join(" ") || "nothing", () => expect(parseOpencodeCommandLine(argv).mode).toBe(mode as never));
});

test("the operating system's forms are split", () => {
  expect(splitProcCmdline("opencode\0-s\0ses_1\0")).toEqual(["opencode", "-s", "ses_1"]);
  expect(splitProcCmdline("opencode\0--prompt\0\0")).toEqual(["opencode", "--prompt", ""]);
  expect(splitPsArgs(" opencode  -s ses_1\n")).toEqual(["opencode", "-s", "ses_1"]);
});
