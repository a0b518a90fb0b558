/** How every bubble that mirrors chat begins. */
export const ECHO_PREFIX = "[chat]";

/** A part of a message, as a host has it. */
export interface MessagePart {
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly ignored?: boolean;
}

/** Whether all that is visible of a message is bubbles. */
export function isChatEchoParts(parts: readonly MessagePart[]): boolean {
  const visible = parts.filter((part) => part.type === "text" && part.synthetic !== true);
  return visible.length > 0 && visible.every(isEcho);
}

/** Whether a person wrote or attached any of it. */
export function isUserMessage(parts: readonly MessagePart[]): boolean {
  return parts.some((part) => part.synthetic !== true && part.ignored !== true && !isEcho(part));
}

function isEcho(part: MessagePart): boolean {
  return part.text?.startsWith(ECHO_PREFIX) ?? false;
}
