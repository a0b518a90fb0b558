import type { SetupEnvironment } from "../../setup/setup.ts";
import type { CliContext } from "../context.ts";

/** What set-up needs to know. The settings are to name the very Bun that runs now: it is one that exists. */
export function setupEnvironment({ environment, root, settings }: CliContext): SetupEnvironment {
  return {
    root,
    bun: process.execPath,
    variables: environment,
    home: settings.home,
    directory: process.cwd(),
    stateFolder: settings.setupFolder,
  };
}
