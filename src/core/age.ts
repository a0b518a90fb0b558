const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** How long ago something was, in its largest unit: "42s ago", "5d ago"; "just now" under five seconds or in the future. */
export function ageWords(ms: number): string {
  if (ms < 5_000) return "just now";
  for (const [unit, size] of UNITS) if (ms >= size) return `${Math.floor(ms / size)}${unit} ago`;
  return "just now";
}
