/** The real opencode, driven from outside: everything a test, the demo or a measurement needs to start and stop it. */
export { Client, type MessageInfo, type Part, type Prompt, type ServerEvent, type SessionInfo } from "./client.ts";
export { type Home, type HomeOptions, makeHome } from "./home.ts";
export { type Run, startRun } from "./run.ts";
export { type Serve, startServe } from "./serve.ts";
export { startTui, type Tui } from "./tui.ts";
