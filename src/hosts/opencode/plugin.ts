import { basename } from "node:path";
import type { Hooks, PluginInput } from "@opencode-ai/plugin";
import { staleAfterMs } from "../../core/liveness.ts";
import { hostClient } from "./client.ts";
import { contained } from "./contained.ts";
import { createRuntime, type StartedRuntime } from "./create-runtime.ts";
import { followEvent, type HostEvent, releaseTurns } from "./events.ts";
import { addExitCommand, beginExit, EXIT_COMMAND } from "./exit.ts";
import type { Instance } from "./instance.ts";
import { followMessage } from "./message.ts";
import { noticeMail } from "./notice.ts";
import { rehostSessions } from "./rehost.ts";
import { hostContinued } from "./startup.ts";
import { addSystemSection } from "./system.ts";
import { describeTool, opencodeTools, restoreAnswer } from "./tools.ts";

/** What this process runs, and the copy of this module that runs it. */
interface Running {
  readonly module: string;
  readonly started: StartedRuntime;
  /** The instances by the client opencode gave them: all plugins of one instance are given the same. */
  readonly instances: Map<PluginInput["client"], Instance>;
  /** The first instance has been served: what happens once a process has happened. */
  begun: boolean;
}

/** Where copies of this module find each other: a second one, from another plugin entry, must not do everything twice. */
const RUNNING = Symbol.for("thatch.opencode.running");
const shared = globalThis as { [RUNNING]?: Running | undefined };

async function server(input: PluginInput): Promise<Hooks> {
  const running = runningHere();
  const { runtime, warnings } = running.started;
  const { log } = runtime;
  const client = hostClient(input.client);
  // opencode hangs when a plugin waits for its server while it starts.
  const timers: ReturnType<typeof setTimeout>[] = [];
  function later(task: () => Promise<void>, delayMs = 0): void {
    const timer = setTimeout(contained(log, "start", task), delayMs);
    timer.unref?.();
    timers.push(timer);
  }
  if (running.module !== import.meta.url || running.instances.has(input.client)) {
    const twice = `thatch is set up twice: ${running.module} runs, a second entry (${import.meta.url}) stays off. Remove one of the plugin entries.`;
    log("start", twice);
    later(() => warn(client, twice));
    return {};
  }

  const root = input.project.worktree;
  const instance: Instance = {
    client,
    directory: input.directory,
    project: root && root !== "/" ? basename(root) : null,
  };
  const first = !running.begun;
  running.begun = true;
  running.instances.set(input.client, instance);
  running.started.resume();
  runtime.hosted.adopt(instance);
  log("start", `serving ${instance.directory} as ${runtime.mode}`);

  const { continues } = running.started;
  if (first && continues !== null) later(() => hostContinued(runtime, instance, continues));
  if (runtime.mode === "serve") {
    later(() => rehostSessions(runtime, instance));
    // Rows of a server that ended a moment ago only turn stale now.
    later(() => rehostSessions(runtime, instance), staleAfterMs(runtime.chat.pollMs) + 1_000);
  }
  if (first) for (const warning of warnings) later(() => warn(client, warning));

  return {
    dispose: contained(log, "dispose", async () => {
      for (const timer of timers) clearTimeout(timer);
      running.instances.delete(input.client);
      await releaseTurns(runtime, instance);
      if (running.instances.size === 0) running.started.pause();
    }),
    config: contained(log, "config", (config) => {
      if (runtime.config().enabled) addExitCommand(config);
    }),
    event: contained(log, "event", async ({ event }) => {
      // What comes after its end tells of nothing that runs.
      if (running.instances.has(input.client)) await followEvent(runtime, instance, event as unknown as HostEvent);
    }),
    tool: opencodeTools(runtime, instance),
    "chat.message": contained(log, "chat.message", (input, output) => followMessage(runtime, instance, input, output)),
    "tool.execute.after": contained(log, "tool.execute.after", async (input, output) => {
      restoreAnswer(runtime, input.callID, output);
      await noticeMail(runtime, input, output);
    }),
    "tool.definition": contained(log, "tool.definition", ({ toolID }, output) => describeTool(toolID, output)),
    "command.execute.before": contained(log, "command.execute.before", (input, output) => {
      runtime.hosted.get(input.sessionID)?.turn.prompted();
      if (input.command === EXIT_COMMAND) beginExit(runtime, input.sessionID, output.parts);
    }),
    "experimental.session.compacting": contained(log, "session.compacting", ({ sessionID }) => {
      const session = runtime.hosted.get(sessionID);
      if (session) session.compacting = true;
    }),
    "experimental.chat.system.transform": contained(log, "system.transform", (input, output) =>
      addSystemSection(runtime, input, output),
    ),
  };
}

/**
 * What runs in this process already, or begins now. It outlives its instances, since opencode may end one and make another
 * for the same sessions.
 */
function runningHere(): Running {
  const before = shared[RUNNING];
  if (before && (before.module === import.meta.url || before.instances.size > 0)) return before;
  const running: Running = {
    module: import.meta.url,
    started: createRuntime(process.env),
    instances: new Map(),
    begun: false,
  };
  shared[RUNNING] = running;
  return running;
}

async function warn(client: Instance["client"], warning: string): Promise<void> {
  await client.warn(warning);
  await client.toast(warning, "warning");
}

/** The plugin as opencode loads it. Nothing else may be exported: opencode calls every exported function as a plugin. */
export default { id: "thatch", server };
