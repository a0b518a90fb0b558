import { existsSync } from "node:fs";
import { readConfig } from "../../platform/config.ts";
import { FINDING, SUBJECT } from "../../text/doctor.ts";
import type { CliContext } from "../context.ts";
import { type Check, ok, warn } from "./check.ts";

/** Thatch's variables and its config file. */
export function checkConfig({ settings }: CliContext): Check[] {
  const { configFile } = settings;
  const checks = settings.warnings.map((warning) => warn(SUBJECT.settings, warning, FINDING.settingFix));
  const { chat, warning } = readConfig(configFile);
  if (warning !== null) checks.push(warn(SUBJECT.config, warning, FINDING.configFix));
  else checks.push(ok(SUBJECT.config, (existsSync(configFile) ? FINDING.configured : FINDING.defaults)(configFile)));
  if (!chat.enabled) checks.push(warn(SUBJECT.config, FINDING.chatOff(configFile), FINDING.chatOffFix));
  return checks;
}
