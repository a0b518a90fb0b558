import { dlopen, ptr } from "bun:ffi";
import type { Log } from "../core/log.ts";

const STDOUT = 1;
/** POLLERR of poll(2), in the upper half of the two 16-bit fields `events` and `revents`. */
const POLLERR = 0x8 << 16;
/** The C library under the names it has on glibc, on musl, and on macOS. */
const LIBRARIES = process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", "libc.so"];

/**
 * Returns a look at whether standard output has lost its reader, which takes microseconds. Without it a command that waits would
 * find out only by writing, and neither Bun nor Node can ask. Where the C library cannot be called the answer is always no.
 */
export function watchReader(log: Log): () => boolean {
  for (const library of LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
      return () => {
        const entry = new Int32Array([STDOUT, 0]);
        return symbols.poll(ptr(entry), 1, 0) > 0 && ((entry[1] ?? 0) & POLLERR) !== 0;
      };
    } catch (error) {
      log("output", `poll(2) cannot be called in ${library}`, error);
    }
  }
  return () => false;
}
