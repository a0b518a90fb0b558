import type { HostClient } from "./client.ts";

/** One instance of the plugin: opencode makes one for each directory it serves. */
export interface Instance {
  readonly client: HostClient;
  readonly directory: string;
  /** The name of the project the directory belongs to; null outside any. */
  readonly project: string | null;
}
