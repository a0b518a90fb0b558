import { describe, expect, test } from "bun:test";
import { splitProcCmdline } from "../../src/core/command-line.ts";
import { continuedFrom } from "../../src/core/continuation.ts";
import { hostProcess, type RunningProcess } from "../../src/core/process.ts";

const chain = (...commands: string[]): RunningProcess[] =>
  commands.map((command, index) => ({
    pid: 100 - index,
    parentPid: 99 - index,
    startedAt: "now",
    args: command.split(" "),
  }));
const host = (...commands: string[]) => hostProcess(chain(...commands))?.args.join(" ") ?? null;

describe("the host among the ancestors", () => {
  test.each([
    [["claude"], "claude"],
    [["/usr/bin/sh -c x", "claude"], "claude"],
    [["-bash", "claude"], "claude"],
    [["/bin/sh", "npx thatch mcp", "node /x/npx-cli.js", "claude"], "claude"],
    [["node /usr/lib/node_modules/npm/bin/npm-cli.js exec thatch", "env", "/opt/claude/claude"], "/opt/claude/claude"],
    [["bun /x/bin/npm run mcp", "timeout 9", "cursor"], "cursor"],
    // A host that runs in a session of another one is its own.
    [["codex", "bash -c codex", "claude"], "codex"],
    [["node /opt/host/server.js", "claude"], "node /opt/host/server.js"],
    // Runners that are scripts of a runtime, also behind its flags.
    [["node /x/pnpm.cjs dlx thatch mcp", "node /x/yarn.js run mcp", "claude"], "claude"],
    [["node --no-warnings --title=x /x/npm-cli.js exec thatch", "claude"], "claude"],
    [["bun x thatch mcp", "/x/bunx thatch", "claude"], "claude"],
    [["node --inspect /opt/host/server.js npm", "claude"], "node --inspect /opt/host/server.js npm"],
    [["bash", "zsh"], null],
    [[], null],
  ])("%p is %p", (commands, expected) => {
    expect(host(...commands)).toBe(expected);
  });

  // npm writes what it runs over its arguments, as one text, and the system fills it up with NUL characters.
  test.each(["npm", "npm exec thatch mcp", "npm exec @scope/thatch", "npm run mcp"])(
    "is not an npm that calls itself %p",
    (title) => {
      const npm = { pid: 9, parentPid: 8, startedAt: "now", args: splitProcCmdline(`${title}${"\0".repeat(40)}`) };
      expect(hostProcess([npm, ...chain("claude")])?.args).toEqual(["claude"]);
    },
  );

  test("may have a space in its path, also behind the name of a launcher", () => {
    const args = ["/home/npm user/bin/claude", "-p"];
    expect(hostProcess([{ pid: 9, parentPid: 8, startedAt: "now", args }, ...chain("codex")])?.args).toEqual(args);
  });
});

describe("the mark of a continued conversation", () => {
  const mark = (from: string, to: string, type = "continued-in") =>
    JSON.stringify({ type, sessionId: from, continuedInSessionId: to, extra: { deep: 1 } });

  test("is found on a line of its own among others", () => {
    expect(continuedFrom(`{"type":"user"}\n${mark("old", "new")}\n{"half`, "new")).toBe("old");
  });

  test.each([
    ["another conversation's", mark("old", "other")],
    ["of another kind", mark("old", "new", "summary")],
    ["of itself", mark("new", "new")],
    ["quoted in a message", JSON.stringify({ type: "user", text: mark("old", "new") })],
    ["cut at its beginning", mark("old", "new").slice(5)],
    ["cut at its end", mark("old", "new").slice(0, -5)],
    ["with ids that are no text", '{"type":"continued-in","sessionId":1,"continuedInSessionId":"new"}'],
    ["no object", '"continued-in new"'],
  ])("is none that is %s", (_, line) => {
    expect(continuedFrom(line, "new")).toBeNull();
  });
});
