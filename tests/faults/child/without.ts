// Runs a command on a file system that lacks what SQLite needs, as a network file system may: `<what> <command>…`, where <what> is
// `shared-memory` (mmap of a shared file fails with ENODEV) or `locks` (fcntl's locks fail with EOPNOTSUPP). The kernel answers so to this
// process and what it starts, by a filter of system calls (seccomp), for which no privilege is needed.
import { dlopen, ptr } from "bun:ffi";

const NUMBERS = {
  x64: { mmap: 9, fcntl: 72 },
  arm64: { mmap: 222, fcntl: 25 },
} as const;
const ENODEV = 19;
const EOPNOTSUPP = 95;
/** Of linux/seccomp.h and linux/filter.h. */
const LOAD = 0x20;
const AND = 0x54;
const JUMP_IF = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL_WITH = 0x00050000;
/** Where the arguments of the call stand. */
const argument = (index: number) => 16 + 8 * index;

const [what = "", ...command] = process.argv.slice(2);
const numbers = NUMBERS[process.arch as keyof typeof NUMBERS];
if (process.platform !== "linux" || numbers === undefined)
  throw new Error(`${process.platform} on ${process.arch} has no filter of system calls that this program knows`);

/** The call, its argument to look at, the bits of it that count, their value, and the error then. */
const REFUSALS: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  // MAP_SHARED, and not MAP_ANONYMOUS.
  "shared-memory": [numbers.mmap, argument(3), 0x23, 0x01, ENODEV],
  // F_SETLK.
  locks: [numbers.fcntl, argument(1), 0xffff, 6, EOPNOTSUPP],
};
const refusal = REFUSALS[what];
if (refusal === undefined) throw new Error(`${what} is none of ${Object.keys(REFUSALS).join(", ")}`);
const [call, place, mask, value, error] = refusal;

const steps = [
  [LOAD, 0, 0, 0],
  [JUMP_IF, 0, 4, call],
  [LOAD, 0, 0, place],
  [AND, 0, 0, mask],
  [JUMP_IF, 0, 1, value],
  [RETURN, 0, 0, FAIL_WITH | error],
  [RETURN, 0, 0, ALLOW],
] as const;
const filter = new DataView(new ArrayBuffer(8 * steps.length));
for (const [index, [code, then, otherwise, operand]] of steps.entries()) {
  filter.setUint16(8 * index, code, true);
  filter.setUint8(8 * index + 2, then);
  filter.setUint8(8 * index + 3, otherwise);
  filter.setUint32(8 * index + 4, operand, true);
}
const program = new DataView(new ArrayBuffer(16));
program.setUint16(0, steps.length, true);
program.setBigUint64(8, BigInt(ptr(filter)), true);

const { symbols } = dlopen("libc.so.6", { prctl: { args: ["int", "u64", "u64", "u64", "u64"], returns: "int" } });
const PR_SET_NO_NEW_PRIVS = 38;
const PR_SET_SECCOMP = 22;
const SECCOMP_MODE_FILTER = 2n;
if (symbols.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n) !== 0) throw new Error("PR_SET_NO_NEW_PRIVS was refused");
if (symbols.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, BigInt(ptr(program)), 0n, 0n) !== 0)
  throw new Error("the kernel takes no filter of system calls here");

const child = Bun.spawn(command, { stdio: ["inherit", "inherit", "inherit"] });
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
process.exit(await child.exited);
