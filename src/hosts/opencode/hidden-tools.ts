import { chatTools } from "../../tools/all.ts";
import { toolName } from "./naming.ts";

/** Which tools a message lets its model have, as its sender chose; those not named, it has. */
type ToolChoice = Readonly<Record<string, boolean>>;

const CHAT_TOOLS = chatTools.map((tool) => toolName(tool.verb));
/** How all of them begin. */
const OURS = toolName("read").slice(0, -"read".length);

/** The choice, with no chat tool: a model is not to see tools that only answer that they are off. */
export function hideChatTools(tools: ToolChoice | undefined): Record<string, boolean> {
  return { ...tools, ...Object.fromEntries(CHAT_TOOLS.map((name) => [name, false])) };
}

/**
 * The sender's own choice in a message that may have been sent while chat was off: a prompt that repeated the hiding would hide the
 * tools for good. Reading is what a wake asks for, so one without it is taken for hidden by thatch, by whichever version.
 */
export function withoutHiding(tools: ToolChoice | undefined): Record<string, boolean> | undefined {
  if (tools?.[toolName("read")] !== false) return tools;
  const chosen = Object.entries(tools).filter(([name, allowed]) => allowed || !name.startsWith(OURS));
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}
