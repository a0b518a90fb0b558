import type { RosterReading } from "../../chat/list.ts";
import { ageWords } from "../../core/age.ts";
import { oneLine } from "../../core/one-line.ts";
import { reachOf } from "../../core/roster.ts";
import type { RosterRow } from "../../core/session.ts";
import { activeHeading, hiddenStale, staleHeading } from "../../text/cli.ts";
import { type Column, columnWidths, tableRow, truncate } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/** Names, topics and projects are other people's text; a longer one tells no more. In code points, as in the directory. */
const LONGEST_CELL = 200;

const COLUMNS: readonly Column[] = [
  { heading: "NAME", yields: 1 },
  { heading: "HOST", yields: 1 },
  { heading: "TOPIC", yields: 2 },
  { heading: "PROJECT", yields: 2 },
  { heading: "LOC" },
  { heading: "LAST SEEN" },
  { heading: "UNREAD", align: "right" },
  { heading: "REACH" },
];

const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";
const YELLOW = "\x1b[33m";
const RESET = "\x1b[0m";

/** The directory as lines for a terminal, or for a pipe. Without its colours, a line is exactly the one that is printed without colour. */
export function rosterLines(
  roster: RosterReading,
  hidden: { readonly count: number; readonly days: number },
  terminal: Terminal,
): string[] {
  const { active, stale, now } = roster;
  const { columns } = terminal;
  const cells = (row: RosterRow) => rosterCells(row, now);
  const widths = columnWidths(COLUMNS, [...active, ...stale].map(cells), columns);
  const paint = (line: string, style: string | null) =>
    terminal.color && style !== null && line !== "" ? `${style}${line}${RESET}` : line;
  const row = (values: readonly string[]) => tableRow(COLUMNS, widths, values, columns);
  const heading = (text: string) => paint(columns === null ? text : truncate(text, columns), BOLD);

  const lines = [paint(row(COLUMNS.map((column) => column.heading)), BOLD)];
  lines.push(heading(activeHeading(active.length)));
  for (const session of active) lines.push(paint(row(cells(session)), session.unread > 0 ? YELLOW : null));
  if (stale.length > 0) lines.push(heading(staleHeading(stale.length)));
  for (const session of stale) lines.push(paint(row(cells(session)), DIM));
  if (hidden.count > 0) lines.push(paint(hiddenStale(hidden.count, hidden.days), DIM));
  return lines;
}

function rosterCells(row: RosterRow, now: number): string[] {
  return [
    oneLine(row.name, LONGEST_CELL),
    oneLine(row.host, LONGEST_CELL),
    oneLine(row.topic ?? "-", LONGEST_CELL),
    oneLine(row.project ?? "-", LONGEST_CELL),
    oneLine(row.worktree ?? "-", LONGEST_CELL),
    ageWords(now - row.lastSeenAt),
    row.unread === 0 ? "-" : String(row.unread),
    reachOf(row),
  ];
}
