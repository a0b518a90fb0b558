/** One column of a table. */
export interface Column {
  readonly heading: string;
  readonly align?: "left" | "right";
  /** When the table is too wide, columns of the highest rank give way first; one without a rank never does. */
  readonly yields?: number;
}

/** Space between two columns. */
const GAP = "  ";
/** No column that gives way gets narrower than this many terminal columns. */
const NARROWEST = 6;

/** The widths of the columns over these rows, made to fit into `limit` terminal columns where that is possible (null: as wide as it gets). */
export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  limit: number | null,
): number[] {
  const widths = columns.map(({ heading }, index) =>
    Math.max(Bun.stringWidth(heading), ...rows.map((row) => Bun.stringWidth(row[index] ?? ""))),
  );
  if (limit === null) return widths;
  let excess = sum(widths) + GAP.length * (columns.length - 1) - limit;
  const ranks = [...new Set(columns.map(({ yields }) => yields ?? 0))].filter((rank) => rank > 0).sort((a, b) => b - a);
  for (const rank of ranks) {
    while (excess > 0) {
      // The widest one gives first, so that columns of one rank end up alike.
      const widest = columns
        .map(({ yields }, index) => ({ index, width: yields === rank ? (widths[index] ?? 0) : 0 }))
        .reduce((best, candidate) => (candidate.width > best.width ? candidate : best));
      if (widest.width <= NARROWEST) break;
      widths[widest.index] = widest.width - 1;
      excess -= 1;
    }
  }
  return widths;
}

/** One row, cell by cell, cut and padded to the widths; the last cell is not padded on its right. Cut as a whole where `limit` is still too small. */
export function tableRow(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
  limit: number | null,
): string {
  const padded = columns.map(({ align }, index) => pad(cells[index] ?? "", widths[index] ?? 0, align ?? "left"));
  const line = padded.join(GAP).trimEnd();
  return limit === null ? line : truncate(line, limit);
}

/** Cuts between whole characters, so that at most `width` terminal columns are taken; what was cut ends in "…". */
export function truncate(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return width > 0 ? `${kept}…` : "";
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const cut = truncate(text, width);
  const space = " ".repeat(Math.max(0, width - Bun.stringWidth(cut)));
  return align === "left" ? cut + space : space + cut;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
