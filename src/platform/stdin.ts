/**
 * Standard input to its end, without a byte order mark; the empty text when it has not ended after `patienceMs`, since whoever started
 * the process may keep it open.
 */
export async function readStdin(patienceMs: number): Promise<string> {
  const patience = Promise.withResolvers<string>();
  const timer = setTimeout(() => patience.resolve(""), patienceMs);
  const text = await Promise.race([Bun.stdin.text(), patience.promise]);
  clearTimeout(timer);
  return text.replace(/^\uFEFF/, "");
}
