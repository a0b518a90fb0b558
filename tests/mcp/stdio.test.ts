import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationId } from "../../src/platform/conversation-id.ts";
import { createSqliteStore } from "../../src/store/sqlite/store.ts";
import { isAlive } from "../../testbed/process.ts";
import { until } from "../../testbed/wait.ts";
import { Client, THATCH } from "./client.ts";

let folder: string;
const open: Bun.Subprocess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thatch-mcp-"));
});
afterEach(() => {
  for (const child of open.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** What Codex says with a call. */
const codex = (session_id: string) => ({ "x-codex-turn-metadata": { session_id } });

/** A client of a server of its own. */
function startClient(env: Record<string, string> = {}): Client {
  const client = new Client(folder, env);
  open.push(client.child);
  return client;
}

describe("the protocol", () => {
  test("of 2025-11-25 is served: instructions, and seven tools with their hints", async () => {
    const client = startClient();
    const { result } = await client.initialize();
    expect(result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "thatch" },
      capabilities: { tools: {} },
    });
    expect(new TextEncoder().encode(String(result?.instructions)).length).toBeLessThanOrEqual(1_800);
    const { result: listed } = await client.ask("tools/list");
    const tools = listed?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(
      ["register", "list", "send", "read", "unregister", "broadcast", "status"].map((verb) => `chat_${verb}`),
    );
    expect(tools.filter((tool) => tool._meta).map(({ name, _meta }) => [name, _meta])).toEqual(
      ["list", "send", "read"].map((verb) => [`chat_${verb}`, { "anthropic/alwaysLoad": true }]),
    );
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ title: expect.any(String), openWorldHint: false });
      expect(tool.inputSchema).toMatchObject({ type: "object", properties: { as: { type: "string" } } });
    }
  });

  test("of 2026-07-28 is served, too", async () => {
    const client = startClient();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const { result, error } = await client.ask("server/discover", { _meta: meta });
    expect(error).toBeUndefined();
    expect(JSON.stringify(result)).toContain("2026-07-28");
    const { result: listed } = await client.ask("tools/list", { _meta: meta });
    expect(listed?.tools).toHaveLength(7);
  });
});

test("arguments that are none are named, and nothing is done", async () => {
  const client = startClient();
  await client.initialize();
  for (const wrong of [5, true, ["ada"], {}])
    expect(await client.call("register", { as: wrong })).toContain("failed: Wrong arguments (as: ");
  expect(await client.call("read", { again: "yes" })).toContain("failed: Wrong arguments (");
  expect(await client.call("status")).not.toContain("Registered as");
  // What models write where they leave a text out.
  for (const none of ["", " ", null]) expect(await client.call("register", { as: none })).not.toContain("failed");
  expect(await client.call("status")).toContain("Registered as");
});

test("a conversation that its client states is kept fresh, closed with its server, and opened again", async () => {
  const env = { THATCH_CHAT_POLL_SECONDS: "0.2", THATCH_DB_PATH: join(folder, "thatch.db") };
  const store = createSqliteStore({ file: env.THATCH_DB_PATH });
  const row = () => store.find(conversationId("one"));
  try {
    const first = startClient(env);
    await first.initialize();
    expect(await first.call("register", {}, codex("one"))).toContain("You joined as ");
    const joined = await row();
    await until("two beats", async () => ((await row())?.lastSeenAt ?? 0) >= (joined?.registeredAt ?? 0) + 400);
    expect(await row()).toMatchObject({ host: "mcp", hostMode: "served" });
    first.child.stdin.end();
    await first.child.exited;
    expect(await row()).toMatchObject({ name: joined?.name, hostMode: "closed" });

    const second = startClient(env);
    await second.initialize();
    expect(await second.call("status", {}, codex("one"))).toContain(`Registered as ${joined?.name}.`);
    const opened = (await row())?.lastSeenAt ?? 0;
    expect(await row()).toMatchObject({ hostMode: "served" });
    await until("a beat", async () => ((await row())?.lastSeenAt ?? 0) > opened);
  } finally {
    store.close();
  }
});

describe("two conversations", () => {
  test("join, write, read and answer, each under an identity of its own", async () => {
    const [one, two] = [startClient(), startClient()];
    await Promise.all([one.initialize(), two.initialize()]);
    expect(await one.call("send", { to: "x", body: "y" })).toContain("failed: This session is not registered");
    const nameOf = async (client: Client) => /You joined as (\S+)\./.exec(await client.call("register"))?.[1] ?? "";
    const [ada, brook] = [await nameOf(one), await nameOf(two)];
    expect(ada).not.toBe(brook);
    expect(await one.call("list")).toContain(`- ${brook} `);
    expect(await one.call("send", { to: brook, body: "is it green?" })).toContain(`Stored as #1 for ${brook}.`);
    expect(await two.call("status")).toBe(`Registered as ${brook}. 1 unread message of 1.`);
    const read = await two.call("read");
    expect(read).toContain(`#1 from ${ada}`);
    expect(await two.call("send", { to: ada, body: "yes", reply_to: 1 })).toContain("Stored as #2");
    expect(await two.call("status", { as: ada })).toContain("failed: [refused]");
    expect(await one.call("send", { to: brook })).toContain("failed: Wrong arguments (body:");
    expect(await one.ask("tools/call", { name: "chat_dance", arguments: {} })).toMatchObject({
      result: { isError: true },
    });

    // The conversation ends, and a later one takes its name up.
    two.child.stdin.end();
    expect(await two.child.exited).toBe(0);
    const three = startClient();
    await three.initialize();
    expect(await three.call("status", { as: brook })).toBe(`Registered as ${brook}. 0 unread messages of 1.`);
    expect(await three.call("register")).toContain(`You are registered as ${brook}.`);
  });
});

describe("whatever is wrong", () => {
  test("nothing but JSON-RPC stands on standard output", async () => {
    const database = join(folder, "thatch.db");
    writeFileSync(database, "no database ".repeat(1_000));
    const client = startClient({ THATCH_DB_PATH: database, THATCH_CHAT_POLL_SECONDS: "soon" });
    await client.initialize();
    for (const call of [client.call("list"), client.call("list", { as: "ada" }), client.call("list", {}, codex("one"))])
      expect(await call).toMatch(/^failed: The database \S+ cannot be used \(it is not an SQLite database/);
    client.child.stdin.write("this is no JSON\n");
    client.child.stdin.flush();
    expect(await client.call("status")).toContain("it is not an SQLite database");
    for (const line of client.lines) expect(JSON.parse(line)).toHaveProperty("jsonrpc", "2.0");
  });

  test("chat that is off says so in every tool, at once and until it is on again", async () => {
    const config = join(folder, "config.json");
    writeFileSync(config, '{"chat": {"enabled": false}}');
    const client = startClient({ THATCH_CONFIG_PATH: config });
    await client.initialize();
    for (const verb of ["register", "unregister", "list", "send", "broadcast", "read", "status"])
      expect(await client.call(verb)).toContain("[disabled] Cross-session chat is off");
    writeFileSync(config, "{}");
    expect(await client.call("register")).toContain("You joined as ");
  });
});

describe("the server ends", () => {
  test("when its client closes its input", async () => {
    const client = startClient();
    await client.initialize();
    const pid = client.serverPid;
    client.child.stdin.end();
    expect(await client.child.exited).toBe(0);
    await until("the server to end", () => !isAlive(pid));
  });

  test("when its parent is killed, also when somebody else holds its input open", async () => {
    const client = startClient();
    await client.initialize();
    const pid = client.serverPid;
    client.child.kill("SIGKILL");
    await client.child.exited;
    await until("the server to end", () => !isAlive(pid));
  });

  test("when the shell that started it is killed, and its input stays open", async () => {
    // The second command keeps the shell from becoming the server.
    const shell = Bun.spawn(["/bin/sh", "-c", `exec 3<&0; "$0" mcp <&3 & echo $! >&2; wait`, THATCH], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", HOME: folder },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    open.push(shell);
    shell.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    shell.stdin.flush();
    const decoder = new TextDecoder();
    const answer = await shell.stdout.getReader().read();
    expect(JSON.parse(decoder.decode(answer.value))).toMatchObject({ id: 1 });
    const said = await shell.stderr.getReader().read();
    const pid = Number(decoder.decode(said.value));
    expect(isAlive(pid)).toBe(true);
    shell.kill("SIGKILL");
    await shell.exited;
    await until("the server to end", () => !isAlive(pid));
  });
});
