/** What a hook says, and how it ends: 2 starts a turn of an idle session of Claude Code, with what it wrote to standard error. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** The answer of a hook that has nothing to say. */
export const SILENCE: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };
