import type { Chat } from "../../chat/chat.ts";
import type { Log } from "../../core/log.ts";
import type { HostMode } from "../../core/session.ts";
import type { Poller } from "../../delivery/poller.ts";
import type { ChatConfig } from "../../platform/config.ts";
import type { Settings } from "../../platform/settings.ts";
import type { HostedSessions } from "./hosted.ts";
import type { Registrar } from "./registrar.ts";
import type { Serial } from "./serial.ts";

/** What all instances of the plugin in one process share. */
export interface Runtime {
  readonly chat: Chat;
  readonly settings: Settings;
  readonly log: Log;
  /** How this opencode process runs. */
  readonly mode: HostMode;
  readonly hosted: HostedSessions;
  readonly registrar: Registrar;
  readonly poller: Poller;
  /** Orders what is written about one session. */
  readonly serial: Serial;
  /** What chat tools answered whose result opencode has not handed on yet, by the id of the call. */
  readonly answers: Map<string, string>;
  /** The config file as it stands now; the poller runs from the first reading that finds chat enabled. */
  config(): ChatConfig;
}
