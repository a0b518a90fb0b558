import { describe, expect, test } from "bun:test";
import { readSettings } from "../../src/platform/settings.ts";

describe("settings", () => {
  test("have the documented defaults", () => {
    expect(readSettings({ HOME: "/home/me" })).toEqual({
      databaseFile: "/home/me/.local/share/thatch/thatch.db",
      home: "/home/me",
      setupFolder: "/home/me/.local/state/thatch/setup",
      bellFolder: "/home/me/.local/state/thatch/bells",
      configFile: "/home/me/.config/thatch/config.json",
      debugFile: null,
      pollMs: 30_000,
      renudgeMs: 900_000,
      nudgesPerHour: 6,
      rehostGraceMs: 86_400_000,
      warnings: [],
    });
  });

  test("follow the XDG folders, and ignore relative ones as the XDG specification demands", () => {
    const settings = readSettings({
      HOME: "/h",
      XDG_DATA_HOME: "/data",
      XDG_CONFIG_HOME: "relative",
      XDG_STATE_HOME: "/state",
      THATCH_DEBUG: "1",
    });
    expect(settings.databaseFile).toBe("/data/thatch/thatch.db");
    expect(settings.configFile).toBe("/h/.config/thatch/config.json");
    expect(settings.debugFile).toBe("/state/thatch/debug.log");
  });

  test("THATCH_ paths win", () => {
    const settings = readSettings({
      HOME: "/h",
      THATCH_DB_PATH: "/d.db",
      THATCH_CONFIG_PATH: "/c.json",
      THATCH_DEBUG: "/log",
    });
    expect([settings.databaseFile, settings.configFile, settings.debugFile]).toEqual(["/d.db", "/c.json", "/log"]);
  });

  for (const value of ["thatch.db", "~/thatch.db", "./x", ":memory:"]) {
    test(`name a path that is not absolute: ${value}`, () => {
      const settings = readSettings({
        HOME: "/h",
        THATCH_DB_PATH: value,
        THATCH_CONFIG_PATH: value,
        THATCH_DEBUG: value,
      });
      expect(settings).toMatchObject({
        databaseFile: "/h/.local/share/thatch/thatch.db",
        configFile: "/h/.config/thatch/config.json",
        debugFile: null,
        warnings: [
          `THATCH_DB_PATH is "${value}", not an absolute path: /h/.local/share/thatch/thatch.db is used.`,
          `THATCH_CONFIG_PATH is "${value}", not an absolute path: /h/.config/thatch/config.json is used.`,
          `THATCH_DEBUG is "${value}", not 0, 1 or an absolute path: nothing is logged.`,
        ],
      });
    });
  }

  for (const value of ["0", "-1", "abc", "NaN", "Infinity", " "]) {
    test(`name a value that is no positive number: ${JSON.stringify(value)}`, () => {
      const settings = readSettings({ HOME: "/h", THATCH_CHAT_POLL_SECONDS: value });
      expect(settings.pollMs).toBe(30_000);
      expect(settings.warnings).toEqual([
        `THATCH_CHAT_POLL_SECONDS is ${JSON.stringify(value)}, not a positive number: 30 is used.`,
      ]);
    });
  }

  test("keep the poll within what a timer can count and a machine can bear", () => {
    const poll = (value: string) => readSettings({ HOME: "/h", THATCH_CHAT_POLL_SECONDS: value });
    for (const [value, used] of [
      ["1e12", 3600],
      ["3601", 3600],
      ["0.001", 0.1],
    ] as const) {
      expect(poll(value)).toMatchObject({
        pollMs: used * 1000,
        warnings: [`THATCH_CHAT_POLL_SECONDS is ${Number(value)}, outside of 0.1 to 3600: ${used} is used.`],
      });
    }
    expect(poll("3600")).toMatchObject({ pollMs: 3_600_000, warnings: [] });
  });

  test("take fractions where they make sense", () => {
    const settings = readSettings({ HOME: "/h", THATCH_CHAT_POLL_SECONDS: "0.5", THATCH_CHAT_NUDGES_PER_HOUR: "2.9" });
    expect([settings.pollMs, settings.nudgesPerHour]).toEqual([500, 2]);
    expect(settings.warnings).toEqual(["THATCH_CHAT_NUDGES_PER_HOUR is 2.9, not a whole number: 2 is used."]);
  });
});
