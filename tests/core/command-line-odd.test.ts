import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseOpencodeCommandLine } from "../../src/core/command-line.ts";

const continues = (...args: string[]) => parseOpencodeCommandLine(["opencode", ...args]).continues;
const session = (id: string) => ({ kind: "session", id }) as const;
const latest = { kind: "latest" } as const;

/** What opencode 1.18 itself was seen to do with these, by the session it then asked for. */
describe("odd spellings are read as opencode reads them", () => {
  const table: [what: string, args: string[], continues: ReturnType<typeof continues>][] = [
    ["a word with a dash is never a value", ["--title", "-s", "ses_1"], session("ses_1")],
    ["nor is a long flag", ["--title", "--session=ses_1"], session("ses_1")],
    ["nor a bare one", ["--prompt", "-c"], latest],
    ["a negative number is one", ["--port", "-1", "-c"], latest],
    ["one-letter flags stand together", ["-is", "ses_1"], session("ses_1")],
    ["the last of them takes the value", ["-ci", "ses_1"], latest],
    ["-s=", ["-s=ses_1"], session("ses_1")],
    ["a negated flag", ["-s", "ses_1", "--no-fork"], session("ses_1")],
    ["a negated -c", ["--no-continue"], null],
    ["a switch with its value behind it", ["--fork", "false", "-s", "ses_1"], session("ses_1")],
    ["-c false", ["-c", "false"], null],
    ["-c true", ["-c", "true"], latest],
    ["--fork true", ["-c", "--fork", "true"], null],
    ["-s that has no value, before -c", ["-s", "-c"], latest],
    ["--session with an empty value", ["--session=", "-c"], latest],
    ["a prompt that begins like a flag is no session id", ["--prompt", "-s not me"], null],
    ["flags that end at --", ["--prompt", "--", "-s", "ses_1"], null],
    ["the last of two", ["-s", "ses_1", "--session", "ses_2"], session("ses_2")],
  ];
  for (const [what, args, expected] of table)
    test(`${what}: ${args.join(" ")}`, () => expect(continues(...args)).toEqual(expected));
});

describe("where the arguments begin", () => {
  const parse = (argv: string[]) => parseOpencodeCommandLine(argv).continues;

  test.each([
    ["/nix/store/x/bin/.opencode-wrapped"],
    ["C:\\tools\\opencode.exe"],
    ["/usr/bin/oc"],
    ["/usr/bin/node --title=x /x/opencode"],
  ])("behind %s", (program) => {
    expect(parse([...program.split(" "), "-s", "ses_1", "/home/me"])).toEqual(session("ses_1"));
  });

  test("not behind a project whose folder is called opencode", () => {
    expect(parse(["/usr/bin/oc", "-s", "ses_1", "/home/me/opencode"])).toEqual(session("ses_1"));
    expect(parse(["opencode", "-s", "ses_1", "/home/me/opencode"])).toEqual(session("ses_1"));
  });
});

test("whatever stands on it, a command line is read, and one session is found wherever its flag stands", () => {
  const other = fc.constantFrom("--print-logs", "--port=1", "--model=a/b", "/project", "--pure", "--log-level=INFO");
  const flag = fc.constantFrom(["-s", "ses_1"], ["--session", "ses_1"], ["--session=ses_1"], ["-s=ses_1"]);
  fc.assert(
    fc.property(fc.array(other), flag, fc.array(other), (before, words, after) => {
      expect(continues(...before, ...words, ...after)).toEqual(session("ses_1"));
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.string()), (argv) => {
      expect(["tui", "run", "serve"]).toContain(parseOpencodeCommandLine(argv).mode);
    }),
  );
});

test("the mode is told apart however its flags are written", () => {
  const mode = (...args: string[]) => parseOpencodeCommandLine(["opencode", ...args]).mode;
  expect(mode("--port", "-1", "run", "x")).toBe("run");
  expect(mode("run", "--interactive")).toBe("tui");
  expect(mode("run", "-ci")).toBe("tui");
  expect(mode("run", "--no-interactive", "x")).toBe("run");
  expect(mode("--", "serve")).toBe("tui");
  expect(mode("attach", "http://localhost:4096", "-c")).toBe("tui");
});
