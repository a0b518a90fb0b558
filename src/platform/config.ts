import { readFileSync } from "node:fs";

/** What the person decides in the config file. */
export interface ChatConfig {
  /** Off: no surface of chat shows, and every tool says how to turn it on. */
  readonly enabled: boolean;
  /** Off: a session joins only when it is told to. */
  readonly autoRegister: boolean;
  /** Off: a running turn is not told of new mail. */
  readonly midTurn: boolean;
}

/** The config, and one sentence when the file could not be used as it stands. */
export interface ConfigReading {
  readonly chat: ChatConfig;
  readonly warning: string | null;
}

const DEFAULTS: ChatConfig = { enabled: true, autoRegister: true, midTurn: true };

/**
 * Reads the config file: JSON with comments. A missing file means the defaults. Never fails: what cannot be read or is of the
 * wrong type gives the default and a warning.
 */
export function readConfig(file: string): ConfigReading {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return { chat: DEFAULTS, warning: null };
    return { chat: DEFAULTS, warning: `${file} cannot be read (${reason(error)}): chat runs with its defaults.` };
  }
  let parsed: unknown;
  try {
    parsed = Bun.JSONC.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { chat: DEFAULTS, warning: `${file} is not valid JSON (${reason(error)}): chat runs with its defaults.` };
  }
  if (!isRecord(parsed))
    return { chat: DEFAULTS, warning: `${file} does not hold an object: chat runs with its defaults.` };
  const section = parsed.chat ?? {};
  if (!isRecord(section))
    return { chat: DEFAULTS, warning: `"chat" in ${file} is not an object: chat runs with its defaults.` };
  return readSwitches(parsed, section, file);
}

function readSwitches(whole: Record<string, unknown>, section: Record<string, unknown>, file: string): ConfigReading {
  const faults: string[] = [];
  function flag(key: keyof ChatConfig): boolean {
    const value = section[key];
    if (typeof value === "boolean") return value;
    if (value !== undefined) {
      faults.push(`chat.${key} is ${JSON.stringify(value)}, not true or false: ${DEFAULTS[key]} is used`);
    }
    return DEFAULTS[key];
  }
  const chat = { enabled: flag("enabled"), autoRegister: flag("autoRegister"), midTurn: flag("midTurn") };
  const known = Object.keys(DEFAULTS);
  for (const key of Object.keys(section)) {
    if (!known.includes(key)) faults.push(`chat.${key} does nothing: there are ${known.join(", ")}`);
  }
  // Other keys of the file may be meant for something else; these can only have been meant for chat.
  for (const key of known) if (key in whole) faults.push(`${key} does nothing outside of "chat"`);
  return { chat, warning: faults.length === 0 ? null : `${file}: ${faults.join("; ")}.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMissing(error: unknown): boolean {
  const code = isRecord(error) ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
