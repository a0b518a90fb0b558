import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Callers } from "../../src/hosts/mcp/callers.ts";
import { McpHosting } from "../../src/hosts/mcp/hosting.ts";
import { LIMITS, testChat } from "../support/chat.ts";

test("a bell that cannot be rung is a wake that was refused: nothing heard of it", async () => {
  const bed = testChat();
  try {
    const bellFolder = join(bed.folder, "taken");
    writeFileSync(bellFolder, "");
    const log: string[] = [];
    const hosting = new McpHosting({
      store: bed.chat.store,
      callers: {} as Callers,
      limits: LIMITS,
      bellFolder,
      now: () => bed.clock.now(),
      enabled: () => true,
      hasDatabase: () => true,
      log: (_scope, message) => void log.push(message),
    });
    expect(await hosting.wake("ses_one")).toBe("rejected");
    expect(log).toEqual(["the bell of ses_one could not be rung; its mail stays pending"]);
  } finally {
    bed.remove();
  }
});
