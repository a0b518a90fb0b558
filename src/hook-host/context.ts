import type { Chat } from "../chat/chat.ts";
import type { Log } from "../core/log.ts";
import type { ChatConfig } from "../platform/config.ts";
import type { Settings } from "../platform/settings.ts";

/** What a hook works with, whatever its host and its event. */
export interface HookGround {
  readonly chat: Chat;
  readonly settings: Settings;
  readonly config: ChatConfig;
  readonly log: Log;
}

/** What a hook works with once it knows whose event it is. */
export interface HookContext extends HookGround {
  /** The conversation's id in the directory. */
  readonly sessionId: string;
}
