import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SetupEnvironment } from "../../src/setup/setup.ts";

/** A machine of its own in a new folder: home, project, and where thatch says it stands. */
export function stage(): SetupEnvironment & { readonly folder: string; readonly close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "thatch-setup-"));
  const home = join(folder, "home");
  const directory = join(folder, "project");
  for (const one of [home, directory]) mkdirSync(one);
  return {
    folder,
    home,
    directory,
    root: join(folder, "thatch"),
    bun: join(folder, "thatch", "bun"),
    variables: { PATH: "" },
    stateFolder: join(folder, "state"),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
