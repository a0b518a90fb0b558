/** How a command ended, for scripts. 75 is EX_TEMPFAIL of sysexits.h: the same command may work in a moment. */
export const EXIT = { done: 0, failed: 1, usage: 2, notFound: 3, busy: 75 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
