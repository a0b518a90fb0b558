import type { Chat } from "../../chat/chat.ts";
import type { Log } from "../../core/log.ts";
import type { ProcessIdentity } from "../../core/process.ts";
import type { ChatConfig } from "../../platform/config.ts";
import type { Settings } from "../../platform/settings.ts";

/** What a hook works with. */
export interface HookContext {
  readonly chat: Chat;
  readonly settings: Settings;
  readonly config: ChatConfig;
  readonly log: Log;
  /** The conversation's id in the directory. */
  readonly sessionId: string;
  /** The Claude Code process that called; null where it cannot be told. */
  readonly host: ProcessIdentity | null;
}
