import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/platform/config.ts";

const folder = mkdtempSync(join(tmpdir(), "thatch-config-"));
afterAll(() => rmSync(folder, { recursive: true }));
const DEFAULTS = { enabled: true, autoRegister: true, midTurn: true };

function reading(text: string) {
  const file = join(folder, "config.json");
  writeFileSync(file, text);
  return { file, ...readConfig(file) };
}

describe("the config", () => {
  test("is optional", () => {
    expect(readConfig(join(folder, "missing.json"))).toEqual({ chat: DEFAULTS, warning: null });
    expect(readConfig(join(folder, "no", "such", "folder.json"))).toEqual({ chat: DEFAULTS, warning: null });
  });

  test("may have comments, trailing commas and a byte order mark", () => {
    expect(
      reading('\uFEFF{ // why\n "chat": { "enabled": false, /* x */ "midTurn": false, }, "other": 1 }'),
    ).toMatchObject({
      chat: { enabled: false, autoRegister: true, midTurn: false },
      warning: null,
    });
  });

  test("names what is wrong and keeps the defaults", () => {
    const table: [string, string][] = [
      ['{"chat": ', "is not valid JSON"],
      ["[]", "does not hold an object"],
      ['{"chat": true}', '"chat" in'],
      ['{"chat": {"enabled": "no"}}', 'chat.enabled is "no", not true or false: true is used'],
      ['{"chat": {"enable": false}}', "chat.enable does nothing: there are enabled, autoRegister, midTurn"],
      ['{"chat": {"__proto__": false, "toString": 1}}', "chat.toString does nothing"],
      ['{"enabled": false}', 'enabled does nothing outside of "chat"'],
    ];
    for (const [text, part] of table) {
      const { chat, warning, file } = reading(text);
      expect(chat).toEqual(DEFAULTS);
      expect(warning).toContain(part);
      expect(warning).toContain(file);
    }
  });

  test("that cannot be read is no failure", () => {
    const { chat, warning } = readConfig(folder);
    expect(chat).toEqual(DEFAULTS);
    expect(warning).toContain(folder);
  });
});
