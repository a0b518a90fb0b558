import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { textOf } from "../../testbed/model-request.ts";
import { call, queue, type Script, whenResultOf, whenSays } from "../../testbed/script.ts";
import { until } from "../../testbed/wait.ts";
import { Bed, isWake, joinSession, wakesOf } from "./bed.ts";

const TIMEOUT = 300_000;
let bed: Bed;
beforeEach(async () => {
  bed = await Bed.open();
});
afterEach(() => bed.close(), TIMEOUT);

const isWakeText = (text: string) => text.startsWith("[thatch] You have");

/**
 * Reads its mail once for every wake it was given, and ends its turn. opencode may show a wake beside a person's prompt, or before
 * the answer to one, so the last message alone does not tell.
 */
const reader: Script = ({ messages, toolResults }) => {
  const wakes = messages.filter((message) => message.role === "user" && isWakeText(textOf(message)));
  const reads = toolResults.filter((result) => result.tool === "thatch_chat_read");
  return wakes.length > reads.length ? call("thatch_chat_read") : { text: "Done." };
};

describe("races", () => {
  test(
    "sends at random moments around the idle event all wake, each once",
    async () => {
      const sends = 200;
      const home = await bed.home("one", { env: { THATCH_CHAT_NUDGES_PER_HOUR: "1000" } });
      const serve = await bed.serve(home);
      const brook = await joinSession(bed, serve);
      bed.model.script("one", reader);
      for (let n = 0; n < sends; n++) {
        const turn = serve.client.prompt(brook.id, `turn ${n}`);
        await Bun.sleep(Math.random() * 60);
        bed.mail(brook.id, `race ${n}`);
        await turn;
        // Longer than a poll, the net under everything else: on a machine with other work some need it.
        await until(`message ${n} to be read`, () => bed.messages()[n]?.read_at !== null, 45_000);
        await until("it to be idle", () => serve.client.isIdle(brook.id));
      }
      const read = bed.messages();
      expect(read.length).toBe(sends);
      // Each message came alone and was waited for, so each had exactly one wake.
      const transcript = await serve.client.messages(brook.id);
      const wakes = transcript.filter(({ parts }) =>
        parts.some((part) => part.synthetic && isWakeText(part.text ?? "")),
      );
      expect(wakes.length).toBe(sends);
      const shown =
        bed.model
          .turns("one")
          .at(-1)
          ?.toolResults.filter((result) => result.tool === "thatch_chat_read") ?? [];
      for (let n = 0; n < sends; n++) {
        expect(shown.filter((result) => result.text.includes(`\nrace ${n}\n`)).length).toBe(1);
      }
    },
    2 * TIMEOUT,
  );

  test(
    "a session deleted while it is being registered stays gone",
    async () => {
      const serve = await bed.serve(await bed.home("one"));
      const ids: string[] = [];
      for (let n = 0; n < 20; n++) {
        const { id } = await serve.client.createSession();
        ids.push(id);
        await serve.client.promptAsync(id, "hello");
        await Bun.sleep(Math.random() * 40);
        await serve.client.delete(id);
      }
      await until(
        "every leave to be written",
        () => bed.rows("SELECT * FROM chat_leave_tombstones").length === ids.length,
      );
      const settled = await joinSession(bed, serve);
      expect(bed.rows("SELECT session_id FROM chat_sessions").map((row) => row.session_id)).toEqual([settled.id]);
    },
    TIMEOUT,
  );

  test(
    "two sessions that answer everything stop at the cap, are told so, and the next real turn still shows the mail",
    async () => {
      const cap = 3;
      const env = { THATCH_CHAT_NUDGES_PER_HOUR: String(cap) };
      const [one, two] = [
        await bed.serve(await bed.home("one", { env })),
        await bed.serve(await bed.home("two", { env })),
      ];
      const [ada, brook] = [await joinSession(bed, one), await joinSession(bed, two)];
      const chatty =
        (to: string): Script =>
        (request) => {
          if (isWake(request)) return call("thatch_chat_read");
          if (whenResultOf("thatch_chat_read")(request))
            return call("thatch_chat_send", { to, body: "Thanks! Anything else?" });
          return { text: "Done." };
        };
      bed.model.script("two", chatty(ada.name));
      bed.model.script("one", (request) =>
        whenSays(/start/)(request)
          ? call("thatch_chat_send", { to: brook.name, body: "Hello!" })
          : chatty(brook.name)(request),
      );
      await one.client.prompt(ada.id, "start");
      await until("a sender to be told", () =>
        [...bed.model.turns("one"), ...bed.model.turns("two")].some((request) =>
          whenResultOf("thatch_chat_send", /woken as often as one hour allows/)(request),
        ),
      );
      await until(
        "both to be idle",
        async () => (await one.client.isIdle(ada.id)) && (await two.client.isIdle(brook.id)),
      );
      expect([wakesOf(bed, "one"), wakesOf(bed, "two")].sort()).toEqual([cap, cap]);

      const waiting = bed.messages().filter((row) => row.read_at === null);
      expect(waiting.length).toBe(1);
      const [who, serve, id] =
        waiting[0]?.recipient_id === ada.id ? (["one", one, ada.id] as const) : (["two", two, brook.id] as const);
      bed.model.script(
        who,
        queue([{ when: whenSays(/go on/), reply: call("bash", { command: "true", description: "work" }) }]),
      );
      await serve.client.prompt(id, "go on");
      const told = bed.model.turns(who).at(-1);
      expect(told?.toolResults.at(-1)?.text).toContain("[thatch] 1 new message from");
      // It is told at every prompt of its user until it is read, also in a turn without a tool.
      await serve.client.prompt(id, "and on");
      const last = bed.model.turns(who).at(-1);
      expect(last?.lastUserText).toMatch(/^and on\n\[thatch\] 1 unread message from \S+: thatch_chat_read shows it\./);
    },
    TIMEOUT,
  );
});

describe("a killed process", () => {
  test(
    "leaves a row that turns stale, and mail that waits",
    async () => {
      const env = { THATCH_CHAT_POLL_SECONDS: "0.5" };
      const [one, two] = [
        await bed.serve(await bed.home("one", { env })),
        await bed.serve(await bed.home("two", { env })),
      ];
      const [ada, brook] = [await joinSession(bed, one), await joinSession(bed, two)];
      await two.kill9();
      await until("its row to be stale", () => Number(bed.session(brook.id)?.last_seen_at) < Date.now() - 1_100);
      bed.model.script("one", queue([{ reply: call("thatch_chat_send", { to: brook.name, body: "are you there?" }) }]));
      await one.client.prompt(ada.id, "ask");
      expect(bed.model.turns("one").at(-1)?.toolResults.at(-1)?.text).toContain(`${brook.name} is stale`);
      expect(bed.messages()).toMatchObject([{ body: "are you there?", delivered_at: null, read_at: null }]);
    },
    TIMEOUT,
  );

  test(
    "of a server is followed by one that hosts its sessions again and wakes them",
    async () => {
      const env = { THATCH_CHAT_POLL_SECONDS: "0.5" };
      const home = await bed.home("one", { env });
      const before = await bed.serve(home);
      const brook = await joinSession(bed, before);
      await before.kill9();
      bed.mail(brook.id, "after the restart");
      bed.model.script("one", reader);
      const after = await bed.serve(home);
      await after.client.sessions();
      await bed.model.waitFor("one", whenResultOf("thatch_chat_read", /after the restart/), 30_000);
      expect(bed.session(brook.id)?.name).toBe(brook.name);
    },
    TIMEOUT,
  );

  test(
    "instance of a directory that opencode ends and makes anew goes on hosting its sessions",
    async () => {
      const serve = await bed.serve(await bed.home("one"));
      const brook = await joinSession(bed, serve);
      await serve.client.disposeInstance();
      // The next request for the directory makes the new instance.
      await serve.client.sessions();
      bed.model.script("one", reader);
      bed.mail(brook.id, "after the reload");
      await bed.model.waitFor("one", whenResultOf("thatch_chat_read", /after the reload/), 20_000);
      await until("it to be idle", () => serve.client.isIdle(brook.id));
      expect(wakesOf(bed, "one")).toBe(1);
    },
    TIMEOUT,
  );
});
