import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { watchStory } from "../../demo/play.ts";
import { LINES, storySteps } from "../../demo/story.ts";
import type { ModelRequest } from "../../testbed/model.ts";
import { isAlive } from "../../testbed/process.ts";
import { until } from "../../testbed/wait.ts";

const TIMEOUT = 90_000;
const MAIN = join(import.meta.dir, "..", "..", "demo", "main.ts");

/** Starts the demo with a temporary folder of its own, so that what it leaves there can be seen. */
function startDemo(folder: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return child;
}

/** The opencode processes a demo names in what it prints. */
const processesIn = (output: string) =>
  [...output.matchAll(/opencode process (\d+)/g)].map((match) => Number(match[1]));

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const folder = await mkdtemp(join(tmpdir(), "thatch-demo-test-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the demo", () => {
  test(
    "shows the whole conversation, succeeds, and leaves nothing",
    () =>
      withFolder(async (folder) => {
        const demo = startDemo(folder);
        const output = await new Response(demo.stdout).text();
        expect(await demo.exited).toBe(0);
        for (const line of Object.values(LINES)) expect(output).toContain(line);
        expect(output).toMatch(/is woken, \d+ ms after the message was stored/);
        expect(output).toMatch(/Active \(2\):\n {2}- /);
        expect(output).toMatch(/#2 \(answers #1\) /);
        expect(output).toContain("All 7 steps were seen");
        const processes = processesIn(output);
        expect(processes.length).toBe(2);
        for (const pid of processes) expect(isAlive(pid)).toBe(false);
        expect(readdirSync(folder).filter((name) => name.startsWith("thatch"))).toEqual([]);
      }),
    TIMEOUT,
  );

  test(
    "held open ends at a signal and leaves nothing",
    () =>
      withFolder(async (folder) => {
        const demo = startDemo(folder, "--hold");
        let output = "";
        const collected = (async () => {
          for await (const chunk of demo.stdout) output += new TextDecoder().decode(chunk);
        })();
        await until("the demo to hold", () => output.includes("Ctrl-C here ends it all"), 60_000);
        expect(output.match(/^env -i .* attach .* --session .* --dir .*$/gm)?.length).toBe(2);
        demo.kill("SIGINT");
        expect(await demo.exited).toBe(0);
        await collected;
        for (const pid of processesIn(output)) expect(isAlive(pid)).toBe(false);
        expect(readdirSync(folder).filter((name) => name.startsWith("thatch"))).toEqual([]);
      }),
    TIMEOUT,
  );

  test(
    "ended while it starts leaves nothing",
    () =>
      withFolder(async (folder) => {
        const demo = startDemo(folder);
        await until("the first home", () => readdirSync(folder).some((name) => name.startsWith("thatch-bed-")));
        demo.kill("SIGTERM");
        expect(await demo.exited).toBe(130);
        expect(readdirSync(folder).filter((name) => name.startsWith("thatch"))).toEqual([]);
      }),
    TIMEOUT,
  );

  test("refuses an argument it does not know", async () => {
    const demo = startDemo("/tmp", "--hodl");
    expect(await demo.exited).toBe(2);
    expect(await new Response(demo.stderr).text()).toContain('Unknown argument "--hodl"');
  });
});

describe("the check of the story", () => {
  const request = (who: string, lastUserText: string) =>
    ({ who, lastUserText, messages: [{ role: "user" }], toolResults: [] }) as unknown as ModelRequest;

  test("names the first step that no model was seen to take", async () => {
    const steps = storySteps("ada", "brook");
    const wake = steps.filter((step) => step.what === "is woken");
    const seen = request("release", "[thatch] You have 1 unread message from ada. Call it.");
    const model = {
      waitFor: async (who: string, accepts: (request: ModelRequest) => boolean) => {
        if (who === seen.who && accepts(seen)) return seen;
        throw new Error("nothing of the kind");
      },
    };
    const told: string[] = [];
    const outcome = await watchStory(model, wake, async (step) => void told.push(step.who));
    expect(outcome).toEqual({
      seen: 1,
      missing: { step: wake[1] ?? steps[0], why: "nothing of the kind" },
    } as typeof outcome);
    expect(told).toEqual(["release"]);
  });

  test("takes a wake by somebody else, or a read of other words, for neither", () => {
    const [, , wake, read] = storySteps("ada", "brook");
    expect(wake?.seen(request("release", "[thatch] You have 1 unread message from cedar. Call it."))).toBe(false);
    expect(read?.seen(request("release", LINES.question))).toBe(false);
  });
});
