import { dirname } from "node:path";
import { type Inspection, inspectDatabase, type StorePath } from "../../store/sqlite/inspect.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { broken, type Check, ok, warn } from "./check.ts";

/** Bits by which the group and others may read, write or enter. */
const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

/** The database file: whether it is there, private, of this schema, whole, and in the journal mode that many processes need. */
export function checkDatabase({ settings }: CliContext): Check[] {
  const file = settings.databaseFile;
  const inspection = inspectDatabase(file);
  if (inspection.kind !== "missing")
    return [checkFile(file, inspection), checkPermissions(dirname(file), inspection.paths)];
  if (inspection.wal !== true) {
    return [broken(SUBJECT.database, FINDING.noLog(inspection.folder, inspection.wal), FINDING.noLogFix)];
  }
  return [ok(SUBJECT.database, FINDING.noDatabase(file))];
}

function checkFile(file: string, found: Exclude<Inspection, { kind: "missing" }>): Check {
  const is = SUBJECT.database;
  if (found.kind === "unreadable") {
    return broken(is, FINDING.unreadable(file, found.reason), FINDING.unreadableFix(file));
  }
  if (found.kind === "locked") return broken(is, FINDING.locked(file), FINDING.lockedFix);
  const { schema, supported, journalMode, integrity } = found;
  if (found.owner === "other") return broken(is, FINDING.foreign(file), FINDING.foreignFix);
  if (schema > supported) return broken(is, FINDING.newSchema(file, schema, supported), FINDING.newSchemaFix);
  if (integrity !== "ok") return broken(is, FINDING.damaged(file, integrity), FINDING.unreadableFix(file));
  if (schema < supported) return ok(is, FINDING.oldSchema(file, schema, supported));
  if (journalMode !== "wal") return broken(is, FINDING.noWal(file, journalMode), FINDING.noLogFix);
  return ok(is, FINDING.database(file, sizeWords(found.bytes), schema));
}

/** The folder may be shared, as /tmp is: the files keep themselves closed, but who may write there can put others in their place. */
function checkPermissions(folder: string, paths: readonly StorePath[]): Check {
  const open = paths.filter(({ path, mode }) => path !== folder && (mode & FOR_OTHERS) !== 0);
  if (open.length > 0) {
    const fixes = open.map(({ path }) => `chmod go-rwx '${path.replaceAll("'", "'\\''")}'`);
    return warn(SUBJECT.database, FINDING.open(open.map(({ path }) => path)), FINDING.openFix(fixes));
  }
  const shared = paths.some(({ path, mode }) => path === folder && (mode & WRITABLE_BY_OTHERS) !== 0);
  if (shared) return warn(SUBJECT.database, FINDING.sharedFolder(folder), FINDING.sharedFolderFix);
  return ok(SUBJECT.database, FINDING.closed);
}

/** "512 B", "1.5 MB": in powers of 1,000. */
function sizeWords(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  return `${Math.round((bytes / 1000 ** power) * 10) / 10} ${units[power]}`;
}
