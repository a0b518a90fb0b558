import { expect } from "bun:test";
import { SILENCE } from "../hook/stage.ts";
import type { Round } from "./surfaces.ts";

/** A prompt waits for 250 ms at most; a machine with other work may hold the process up besides. */
const PROMPT_MS = 2_000;

/**
 * Expects that every surface refused: tools and commands name the file and the reason, hooks say nothing, and a prompt of opencode's
 * user goes on. `exit` is how commands end.
 */
export function refusedEverywhere(round: Round, file: string, reason: RegExp, exit = 1): void {
  for (const [tool, text] of Object.entries(round.tools)) {
    expect(`${tool} ${text}`).toStartWith(`${tool} failed: The database ${file} `);
    expect(`${tool} ${text}`).toMatch(reason);
  }
  goesOn(round);
  expect(round.hooks).toEqual(round.hooks.map(() => SILENCE));
  const [list, tail, doctor] = round.cli;
  for (const end of [list, tail]) {
    expect([end?.code, end?.stdout]).toEqual([exit, ""]);
    expect(end?.stderr).toContain(`The database ${file}`);
    expect(end?.stderr).toMatch(reason);
  }
  expect(doctor?.code).toBe(1);
  expect(doctor?.stdout).toMatch(/^✗ database .*/m);
}

/** Expects what holds in every trouble: no prompt waits long, no hook fails, and no command breaks. */
export function goesOn({ promptMs, hooks, cli }: Round): void {
  expect(promptMs).toBeLessThan(PROMPT_MS);
  for (const { code, stderr } of hooks) expect([code, stderr]).toEqual([0, ""]);
  for (const { code, stdout, stderr } of cli) {
    expect([0, 1, 75]).toContain(code);
    expect(stdout + stderr).not.toMatch(/\n\s+at |SQLiteError|ChatError|TypeError/);
  }
}

/** Expects that every surface works. */
export function servedEverywhere(round: Round): void {
  for (const [tool, text] of Object.entries(round.tools)) expect(`${tool} ${text}`).not.toContain("failed: ");
  goesOn(round);
  for (const { stdout } of round.hooks.slice(0, 2)) expect(stdout).toContain("[thatch] You are ");
  expect(round.cli.slice(0, 2).map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
}
