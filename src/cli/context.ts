import type { CommandContext, StricliProcess } from "@stricli/core";
import type { Clock } from "../core/clock.ts";
import type { ChatStore } from "../core/store.ts";
import type { Settings } from "../platform/settings.ts";
import type { Output } from "./output.ts";

/** What every command may use. */
export interface CliContext extends CommandContext {
  readonly process: StricliProcess;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly output: Output;
  /** The chat store, which opens its database at the first operation. */
  readonly store: ChatStore;
  /** Absolute path of the folder that thatch is installed in. */
  readonly root: string;
  readonly version: string;
}
