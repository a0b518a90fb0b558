import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { call, queue, whenResultOf, whenSays } from "../../testbed/script.ts";
import type { Serve } from "../../testbed/serve.ts";
import { until } from "../../testbed/wait.ts";
import { Bed, isWake, type Joined, joinSession, wakesOf } from "./bed.ts";

const TIMEOUT = 90_000;
let bed: Bed;
let serve: Serve;
let ada: Joined;
let brook: Joined;

beforeAll(async () => {
  bed = await Bed.open();
  serve = await bed.serve(await bed.home("one"));
  ada = await joinSession(bed, serve);
  brook = await joinSession(bed, serve);
}, TIMEOUT);
afterAll(() => bed.close(), TIMEOUT);

/** Has the model of this session call one tool, and resolves to what the tool answered. */
async function useTool(session: string, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const marker = `use ${tool} ${crypto.randomUUID()}`;
  bed.model.script("one", queue([{ when: whenSays(new RegExp(marker)), reply: call(tool, args) }]));
  await serve.client.prompt(session, marker);
  const request = await bed.model.waitFor(
    "one",
    (asked) => asked.lastUserText.includes(marker) && whenResultOf(tool)(asked),
  );
  return request.toolResults.at(-1)?.text ?? "";
}

describe("who a session is", () => {
  test(
    "a fork has a name and a mailbox of its own",
    async () => {
      const fork = await serve.client.fork(ada.id);
      expect(fork.title).toEndWith("(fork #1)");
      await serve.client.prompt(fork.id, "go on");
      const name = await bed.nameOf(fork.id);
      expect(name).not.toBe(ada.name);
      expect(await useTool(fork.id, "thatch_chat_status")).toContain(`Registered as ${name}.`);
      expect(await bed.nameOf(ada.id)).toBe(ada.name);
    },
    TIMEOUT,
  );

  test(
    "a sub-agent cannot read its parent's mail, and is never registered",
    async () => {
      bed.model.script("one", queue([]));
      const before = wakesOf(bed, "one");
      bed.mail(ada.id, "for the parent");
      await until("the parent to be woken", () => wakesOf(bed, "one") === before + 1);
      await until("the parent to be idle", () => serve.client.isIdle(ada.id));
      const child = await serve.client.createSession({ parentID: ada.id });
      const answer = await useTool(child.id, "thatch_chat_read");
      expect(answer).toContain("[refused] A sub-agent has no mailbox");
      expect(answer).toContain(ada.id);
      expect(answer).not.toContain("for the parent");
      expect(bed.messages().find((row) => row.body === "for the parent")?.read_at).toBeNull();
      expect(bed.session(child.id)).toBeUndefined();
      const turns = bed.model
        .turns("one")
        .filter((request) => request.toolResults.some((result) => result.text.includes("[refused]")));
      for (const turn of turns) expect(turn.system).not.toContain("Cross-session chat");
      expect(await useTool(ada.id, "thatch_chat_read")).toContain("for the parent");
    },
    TIMEOUT,
  );

  test(
    "a session that left stays out through prompts and idles, until it registers again",
    async () => {
      expect(await useTool(brook.id, "thatch_chat_unregister")).toContain(`You left; ${brook.name}`);
      await serve.client.prompt(brook.id, "and now something else");
      expect(bed.session(brook.id)).toBeUndefined();
      expect(bed.model.turns("one").at(-1)?.system).toContain("You are not registered");
      expect(await useTool(ada.id, "thatch_chat_send", { to: brook.name, body: "still there?" })).toContain(
        "left the directory",
      );
      expect(await useTool(brook.id, "thatch_chat_register")).toContain("You joined as ");
      const name = await bed.nameOf(brook.id);
      expect(name).not.toBe(brook.name);
      brook = { id: brook.id, name };
    },
    TIMEOUT,
  );

  test(
    "a deleted session leaves",
    async () => {
      const gone = await joinSession(bed, serve);
      await serve.client.delete(gone.id);
      await until("the row to go", () => bed.session(gone.id) === undefined);
      expect(bed.rows("SELECT session_id FROM chat_leave_tombstones WHERE session_id = ?", gone.id)).toHaveLength(1);
    },
    TIMEOUT,
  );

  test(
    "an error is a text to act on, and no bubble follows it",
    async () => {
      const before = (await serve.client.messages(ada.id))
        .flatMap((message) => message.parts)
        .filter((part) => part.ignored).length;
      expect(await useTool(ada.id, "thatch_chat_send", { to: `${brook.name}q`, body: "hello" })).toContain(
        `Nearest: ${brook.name}`,
      );
      expect(await useTool(ada.id, "thatch_chat_send", { to: ada.name, body: "hello" })).toContain("is you");
      const after = (await serve.client.messages(ada.id))
        .flatMap((message) => message.parts)
        .filter((part) => part.ignored).length;
      expect(after).toBe(before);
    },
    TIMEOUT,
  );

  test(
    "two directories in one server: one registration each, and mail between them",
    async () => {
      const home = await bed.home("elsewhere");
      const directory = await home.makeDirectory("second", { git: true });
      const client = serve.client.at(directory);
      const { id } = await client.createSession();
      bed.model.script("one", queue([]));
      await client.prompt(id, "hello from the second directory");
      const name = await bed.nameOf(id);
      expect(bed.session(id)).toMatchObject({ directory, project: "second", worktree: "root" });
      await until("it to be idle", () => client.isIdle(id));
      const before = wakesOf(bed, "one");
      expect(await useTool(ada.id, "thatch_chat_send", { to: name, body: "across" })).toContain("Stored as #");
      await until("one wake", () => wakesOf(bed, "one") === before + 1);
      await until(
        "it to be delivered",
        () => bed.messages().find((row) => row.body === "across")?.delivered_at !== null,
      );
      expect(bed.model.turns("one").findLast(isWake)?.lastUserText).toContain(`from ${ada.name}.`);
    },
    TIMEOUT,
  );
});
