import { realpathSync } from "node:fs";
import { join } from "node:path";
import { programsOnPath } from "../../platform/programs.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { type Check, ok, warn } from "./check.ts";

/** The version in package.json's dependencies. */
const TESTED_BUN = "1.4.5";

/** The programs of the hosts. */
const HOST_PROGRAMS = ["opencode", "claude"];

/** Which Bun and which thatch this is, and whether another program has its name. */
export function checkProgram({ environment, root, version }: CliContext): Check[] {
  return [checkBun(root), ok(SUBJECT.thatch, FINDING.thatch(version, root)), ...checkPath(environment.PATH, root)];
}

function checkBun(root: string): Check {
  if (Bun.semver.order(Bun.version, TESTED_BUN) >= 0) {
    return ok(SUBJECT.bun, FINDING.bun(Bun.version, process.execPath));
  }
  return warn(SUBJECT.bun, FINDING.oldBun(Bun.version, TESTED_BUN), FINDING.oldBunFix(root));
}

function checkPath(path: string | undefined, root: string): Check[] {
  const own = join(root, "bin", "thatch");
  const programs = programsOnPath("thatch", path);
  const others = programs.filter(({ file }) => file !== realpathSync(own));
  if (others.length === 0) return [];
  const finding = FINDING.otherThatch(
    others.map((other) => other.path),
    programs[0] === others[0],
  );
  return [warn(SUBJECT.thatch, finding, FINDING.otherThatchFix(own))];
}

/** Says so when no host is there at all: each of them alone may be missing. */
export function checkHosts({ environment }: CliContext): Check[] {
  const found = HOST_PROGRAMS.some((name) => programsOnPath(name, environment.PATH).length > 0);
  return found ? [] : [warn(SUBJECT.thatch, FINDING.noHost, FINDING.noHostFix)];
}
