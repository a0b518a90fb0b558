import type { ProcessIdentity } from "../../core/process.ts";
import type { HookContext } from "../../hook-host/context.ts";

/** What a hook of Claude Code works with. */
export interface ClaudeContext extends HookContext {
  /** The Claude Code process that called; null where it cannot be told. */
  readonly host: ProcessIdentity | null;
}
