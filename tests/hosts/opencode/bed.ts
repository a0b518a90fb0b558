import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessagePart } from "../../../src/core/echo-parts.ts";
import type { HostClient, HostSession, PromptPart, TurnIdentity } from "../../../src/hosts/opencode/client.ts";
import { createRuntime } from "../../../src/hosts/opencode/create-runtime.ts";
import { followEvent, type HostEvent } from "../../../src/hosts/opencode/events.ts";
import type { Instance } from "../../../src/hosts/opencode/instance.ts";
import { followMessage } from "../../../src/hosts/opencode/message.ts";

/** A prompt that thatch gave to opencode. */
export interface Prompt {
  readonly id: string;
  readonly identity: TurnIdentity;
  readonly parts: readonly PromptPart[];
  readonly noReply: boolean;
}

export const IDENTITY: TurnIdentity = { agent: "build", model: { providerID: "fake", modelID: "scripted" } };

/** opencode's API as a test scripts it: sessions it knows, and what it does with a prompt. */
export class FakeClient implements HostClient {
  readonly prompts: Prompt[] = [];
  readonly toasts: string[] = [];
  readonly sessions = new Map<string, HostSession>();
  exits = 0;
  answers: { role: "user" | "assistant"; text: string }[] = [];
  /** What opencode does when it takes a prompt that starts a turn. */
  onPrompt: (prompt: Prompt) => Promise<void> = async () => {};
  /** What happens while opencode is asked for a session. */
  onSession: (id: string) => Promise<void> = async () => {};

  /** What opencode answers when it is asked whether it runs a turn. */
  onIsBusy: (id: string) => Promise<boolean> = async () => false;

  async session(id: string) {
    await this.onSession(id);
    return this.sessions.get(id) ?? null;
  }
  async latestSession() {
    return [...this.sessions.values()].at(-1) ?? null;
  }
  async isBusy(id: string) {
    return this.onIsBusy(id);
  }
  async transcript(_id: string, limit: number | null) {
    return this.answers.slice(limit === null ? 0 : -limit).map(({ role, text }) => ({
      role,
      identity: role === "user" ? IDENTITY : null,
      parts: [{ type: "text", text }],
    }));
  }
  async prompt(id: string, identity: TurnIdentity, parts: readonly PromptPart[], noReply: boolean) {
    const prompt = { id, identity, parts, noReply };
    this.prompts.push(prompt);
    if (!noReply) await this.onPrompt(prompt);
  }
  async toast(message: string) {
    this.toasts.push(message);
  }
  async warn() {}
  async exitTerminal() {
    this.exits++;
  }
}

/** A plugin's runtime on a database of its own, served by a scripted opencode. */
export function hostBed(config: object = {}, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "thatch-host-"));
  const configFile = join(folder, "config.json");
  writeFileSync(configFile, JSON.stringify(config));
  const started = createRuntime({
    HOME: folder,
    THATCH_DB_PATH: join(folder, "thatch.db"),
    THATCH_CONFIG_PATH: configFile,
    THATCH_DEBUG: join(folder, "debug.log"),
    ...env,
  });
  const client = new FakeClient();
  const instance: Instance = { client, directory: "/projects/demo", project: "demo" };
  const { runtime } = started;
  started.resume();
  runtime.hosted.adopt(instance);
  let messages = 0;
  const nextId = () => `msg_${String(++messages).padStart(6, "0")}`;
  const answer = (sessionID: string, id = nextId()) =>
    followEvent(runtime, instance, {
      type: "message.updated",
      properties: { info: { id, sessionID, role: "assistant" } },
    });
  /** opencode's hook for a message that is about to be stored. */
  const message = (sessionID: string, parts: readonly MessagePart[], id = nextId(), more: object = {}) => {
    const info = { id, role: "user", ...IDENTITY, ...more };
    const output = { message: info, parts } as unknown as Parameters<typeof followMessage>[3];
    return followMessage(runtime, instance, { sessionID }, output);
  };
  return {
    folder,
    runtime,
    client,
    instance,
    /** Hands an event of opencode to the plugin and waits until it has been followed. */
    event: (event: HostEvent) => followEvent(runtime, instance, event),
    status: (sessionID: string, type: "busy" | "idle") =>
      followEvent(runtime, instance, { type: "session.status", properties: { sessionID, status: { type } } }),
    /** A session opencode has, with or without a parent. */
    addSession(id: string, more: Partial<HostSession> = {}): HostSession {
      const session = {
        id,
        parentId: null,
        title: `Work of ${id}`,
        directory: instance.directory,
        reverted: false,
        ...more,
      };
      client.sessions.set(id, session);
      return session;
    },
    /** Makes prompts start turns in which the model begins to answer, as opencode does. */
    startTurns() {
      client.onPrompt = async ({ id, parts }) => {
        await message(id, parts);
        await followEvent(runtime, instance, {
          type: "session.status",
          properties: { sessionID: id, status: { type: "busy" } },
        });
        await answer(id);
      };
    },
    answer,
    message,
    started,
    row: (id: string) => runtime.chat.store.find(id),
    /** Mail from somebody else who is registered. */
    async mail(to: string, body: string) {
      const at = Date.now();
      await runtime.chat.store.register(
        {
          sessionId: "ses_other",
          host: "opencode",
          hostMode: "tui",
          topic: null,
          project: null,
          directory: "/",
          worktree: null,
        },
        { base: "otter", at, tombstone: "clear" },
      );
      const sent = await runtime.chat.store.send({ senderId: "ses_other", recipientId: to, body, replyTo: null, at });
      if (sent.kind !== "sent") throw new Error(`the mail was not stored: ${sent.kind}`);
      return sent.message;
    },
    remove() {
      started.pause();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type HostBed = ReturnType<typeof hostBed>;
