import { broadcastTool } from "./broadcast.ts";
import { listTool } from "./list.ts";
import { readTool } from "./read.ts";
import { registerTool } from "./register.ts";
import { sendTool } from "./send.ts";
import { statusTool } from "./status.ts";
import type { ChatTool } from "./tool.ts";
import { unregisterTool } from "./unregister.ts";

/** Every chat tool, in the order a host shows them. */
export const chatTools: readonly ChatTool[] = [
  registerTool,
  listTool,
  sendTool,
  readTool,
  unregisterTool,
  broadcastTool,
  statusTool,
];
