/**
 * Standard input to its end, without a byte order mark. What has come after `patienceMs` has to do: whoever started the process may
 * keep its end open.
 */
export async function readStdin(patienceMs: number): Promise<string> {
  const reader = Bun.stdin.stream().getReader();
  const chunks: Uint8Array[] = [];
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => patience.resolve(null), patienceMs);
  for (;;) {
    const next = await Promise.race([reader.read(), patience.promise]);
    if (next === null || next.done) break;
    chunks.push(next.value);
  }
  clearTimeout(timer);
  // TextDecoder drops the mark; what is no UTF-8 shows as U+FFFD.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
