import { oneLine } from "./one-line.ts";

/** Characters of a topic: one roster line. */
export const TOPIC_LIMIT = 80;
/** Characters of a title that are looked at; what tells a placeholder stands within them. */
const TITLE_READ = 1_000;

/** What opencode calls a session before it has a title; a fork of one adds its number. */
const PLACEHOLDER = /^(New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z?( \(fork #\d+\))*$/;
const SUB_AGENT = /\(@[^()]+ subagent\)( \(fork #\d+\))*$/;

/** The topic of a session with this title; null while the title says nothing about its work. */
export function topicFromTitle(title: string | null | undefined): string | null {
  const whole = oneLine(title ?? "", TITLE_READ);
  if (whole === "" || PLACEHOLDER.test(whole) || SUB_AGENT.test(whole)) return null;
  return oneLine(whole, TOPIC_LIMIT);
}
