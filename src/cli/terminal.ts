import { fstatSync } from "node:fs";

const STDOUT = 1;
const USUAL_COLUMNS = 80;

/** What results are shown on. */
export interface Terminal {
  /** The width of the terminal; null when the output is no terminal, and lines may have any length. */
  readonly columns: number | null;
  readonly color: boolean;
}

/**
 * Looks at standard output and the variables by which people choose colour: FORCE_COLOR wins over NO_COLOR, as in Node
 * (https://nodejs.org/api/cli.html#force_color1-2-3, https://no-color.org).
 */
export async function lookAtTerminal(environment: Readonly<Record<string, string | undefined>>): Promise<Terminal> {
  const columns = await terminalColumns();
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = environment;
  if (force !== undefined && force !== "") return { columns, color: force !== "0" && force !== "false" };
  if (no !== undefined && no !== "") return { columns, color: false };
  return { columns, color: columns !== null && term !== "dumb" };
}

async function terminalColumns(): Promise<number | null> {
  // Loading tty takes longer than the whole command; a pipe or a file needs no closer look.
  if (!fstatSync(STDOUT).isCharacterDevice()) return null;
  const { isatty, WriteStream } = await import("node:tty");
  return isatty(STDOUT) ? new WriteStream(STDOUT).columns || USUAL_COLUMNS : null;
}
