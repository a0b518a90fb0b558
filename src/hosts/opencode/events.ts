import { leave } from "../../chat/leave.ts";
import { staleAfterMs } from "../../core/liveness.ts";
import { contained } from "./contained.ts";
import { finishExit } from "./exit.ts";
import type { HostedSession } from "./hosted.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";

/** The session as opencode's events carry it. */
interface EventSession {
  readonly id: string;
  readonly parentID?: string;
  readonly title: string;
  /** There while messages are taken back and could be brought back. */
  readonly revert?: unknown;
}

/** The events thatch listens to; opencode sends many more, and its published types lack some of these. */
export type HostEvent =
  | {
      readonly type: "message.updated";
      readonly properties: {
        readonly info: { readonly id: string; readonly sessionID: string; readonly role: string };
      };
    }
  | {
      readonly type: "session.created" | "session.updated" | "session.deleted";
      readonly properties: { readonly info: EventSession };
    }
  | {
      readonly type: "session.status";
      readonly properties: { readonly sessionID: string; readonly status: { readonly type: string } };
    }
  | { readonly type: "session.idle" | "session.compacted"; readonly properties: { readonly sessionID: string } }
  | {
      readonly type: "permission.asked" | "question.asked";
      readonly properties: { readonly id: string; readonly sessionID: string };
    }
  | {
      readonly type: "permission.replied" | "question.replied" | "question.rejected";
      readonly properties: { readonly sessionID: string; readonly requestID: string };
    };

/** Follows what opencode does with its sessions. */
export async function followEvent(runtime: Runtime, instance: Instance, event: HostEvent): Promise<void> {
  switch (event.type) {
    case "session.created":
      return created(runtime, instance, event.properties.info);
    case "session.updated":
      return updated(runtime, event.properties.info);
    case "session.deleted":
      return deleted(runtime, event.properties.info);
    case "session.status": {
      const { sessionID, status } = event.properties;
      const session = await runtime.registrar.resolve(instance, sessionID);
      if (session === null) return;
      return status.type === "idle" ? idle(runtime, session) : busy(runtime, session);
    }
    case "session.idle": {
      const session = await runtime.registrar.resolve(instance, event.properties.sessionID);
      if (session !== null) await idle(runtime, session);
      return;
    }
    case "session.compacted": {
      const session = runtime.hosted.get(event.properties.sessionID);
      if (session) session.compacting = false;
      return;
    }
    case "message.updated": {
      const { id, sessionID, role } = event.properties.info;
      const session = role === "assistant" ? runtime.hosted.get(sessionID) : undefined;
      if (session) runtime.hosted.answerBegan(session, id);
      return;
    }
    case "permission.asked":
    case "question.asked":
      runtime.hosted.get(event.properties.sessionID)?.awaiting.add(event.properties.id);
      return;
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      runtime.hosted.get(event.properties.sessionID)?.awaiting.delete(event.properties.requestID);
      return;
  }
}

function created(runtime: Runtime, instance: Instance, info: EventSession): void {
  if (info.parentID) runtime.hosted.markChild(info.id, info.parentID);
  else {
    const { id, title, revert } = info;
    const session = { id, title, directory: instance.directory, reverted: revert !== undefined };
    runtime.hosted.host(session, instance).turn.answered(false);
  }
}

async function updated(runtime: Runtime, info: EventSession): Promise<void> {
  if (info.parentID) runtime.hosted.markChild(info.id, info.parentID);
  const session = await runtime.registrar.known(info.id);
  if (session === null) return;
  // Messages come back, or a prompt does away with them, which then comes next: no wake in between.
  if (session.reverted && info.revert === undefined) session.turn.prompted();
  session.reverted = info.revert !== undefined;
  if (!runtime.config().enabled) session.title = info.title;
  else await runtime.registrar.retitle(session, info.title);
}

async function deleted(runtime: Runtime, info: EventSession): Promise<void> {
  runtime.hosted.drop(info.id);
  if (info.parentID || !runtime.config().enabled) return;
  await leave(runtime.chat, info.id);
}

async function busy(runtime: Runtime, session: HostedSession): Promise<void> {
  const started = runtime.hosted.turnStarted(session);
  if (!started || !runtime.config().enabled) return;
  await runtime.serial.run(session.id, () =>
    runtime.chat.store.setBusy(session.id, runtime.chat.clock.now() + staleAfterMs(runtime.chat.pollMs)),
  );
}

async function idle(runtime: Runtime, session: HostedSession): Promise<void> {
  const ended = runtime.hosted.turnEnded(session);
  // A prompt that came at the end of the turn is answered by the next one.
  if (session.turn.state === "expected") return;
  // Before anything that waits for the store.
  if (ended && runtime.hosted.endExit(session.id) && (await finishExit(runtime, session))) return;
  if (ended || session.name === null) await turnOver(runtime, session);
}

/** What follows a turn that ended, or one that was expected and did not begin. A registration that fails keeps no mail back. */
export async function turnOver(runtime: Runtime, session: HostedSession): Promise<void> {
  if (session.instance === null) return;
  const config = runtime.config();
  if (!config.enabled) return;
  await contained(runtime.log, "registration", () =>
    runtime.serial.run(session.id, async () => {
      await takeBackMark(runtime, session);
      await runtime.registrar.ensure(session, config);
    }),
  )();
  await runtime.poller.flush(session.id);
}

async function takeBackMark({ chat }: Runtime, { id, turn }: HostedSession): Promise<void> {
  // A turn that has started meanwhile has said so, or will: its mark must not be wiped.
  if (!turn.marked || turn.state === "running") return;
  await chat.store.setBusy(id, null);
  turn.unmarked();
}

/**
 * Leaves the sessions of an instance that ends to another one, and takes back what was said of their turns, which end with it: a
 * session opened again at once need not wait for the mark to run out. Never rejects: what fails is logged, and the rest goes on.
 */
export async function releaseTurns(runtime: Runtime, instance: Instance): Promise<void> {
  const { hosted, log, serial } = runtime;
  const running = hosted.all().filter((session) => session.instance === instance && session.turn.state === "running");
  hosted.orphan(instance);
  const release = contained(log, "dispose", async (session: HostedSession) => {
    hosted.turnEnded(session);
    if (session.name !== null) await serial.run(session.id, () => takeBackMark(runtime, session));
  });
  await Promise.all(running.map(release));
}
