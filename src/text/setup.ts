import type { FileChange, SetupFault, SetupNotice } from "../core/setup-report.ts";

/** What CLAUDE.md tells the model between thatch's markers. */
export function claudeBlock(): string {
  return [
    "## Other sessions on this machine",
    "",
    "The chat tools of the `thatch` MCP server reach the other AI coding sessions on this machine. `chat_list` shows them,",
    "`chat_send` writes to one by its name, `chat_read` shows what they wrote to this session. Mail that is announced waits",
    "until it is read with `chat_read`.",
  ].join("\n");
}

/** One line for each file: what was done, or would be. */
export function changeLine({ file, change, backup }: FileChange, dryRun: boolean): string {
  const verbs = dryRun ? WOULD : DID;
  return `${verbs[change]} ${file}${backup === null ? "" : ` (before: ${backup})`}`;
}

const DID = { created: "created", changed: "changed", restored: "cleaned", deleted: "deleted", unchanged: "unchanged" };
const WOULD = {
  created: "would create",
  changed: "would change",
  restored: "would clean",
  deleted: "would delete",
  unchanged: "would not change",
};

/** Why a file was left alone, and the next step. */
export function faultLine({ file, fault }: SetupFault): string {
  const left = `${file} was left alone`;
  switch (fault.code) {
    case "malformed":
      return `${file}:${fault.place.line}:${fault.place.column} is not valid JSON, so it was left alone. Mend it there and run this again.`;
    case "wrong-kind": {
      const where = fault.path.length === 0 ? "it" : `"${fault.path.join(".")}" in it`;
      return `${left}: ${where} holds ${aKind(fault.found)}, not ${aKind(fault.wanted)}. Mend it and run this again.`;
    }
    case "taken":
      return `${left}: "${fault.path.join(".")}" in it belongs to something else. Rename that entry and run this again.`;
    case "marker":
      return `${file}:${fault.place.line}: ${fault.marker} has no partner, so the file was left alone. Take that line out and run this again.`;
    case "read-only":
      return `${left}: nobody may write to it. Allow it (chmod u+w) and run this again.`;
    case "changed-meanwhile":
      return `${left}: another program changed it at the same moment. Run this again.`;
    case "failed":
      return `${left}: ${fault.reason}. Mend that and run this again.`;
  }
}

function aKind(kind: string): string {
  if (kind === "null" || kind === "nothing") return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** What the person should know besides. */
export function noticeLine(notice: SetupNotice): string {
  switch (notice.code) {
    case "other-program":
      return `Another program called thatch is in PATH: ${notice.path}. The settings name this one by its full path, so both can stay.`;
    case "plugin-too":
      return `${notice.file} lists thatch as a Claude Code plugin, too. Keep one of the two: claude plugin uninstall thatch, or thatch setup claude-code --remove.`;
    case "native-messaging":
      return "Claude Code has messages of its own (ListAgents, SendMessage): they reach Claude Code sessions only and are not kept. Thatch's are separate.";
  }
}
