import { join } from "node:path";
import type { ModelRequest } from "../testbed/model.ts";
import { call, queue, whenSays } from "../testbed/script.ts";
import { until } from "../testbed/wait.ts";
import { mailer, openStage } from "./stage.ts";
import type { Figure } from "./table.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;
const chatTools = (request: ModelRequest | undefined) =>
  (request?.tools ?? []).filter((tool) => tool.function.name.startsWith("thatch_"));

/** The bytes thatch adds to a model's context, taken from what the model of the real opencode received. */
export async function contextFigures(): Promise<Figure[]> {
  const stage = await openStage();
  try {
    const { serve, id } = await stage.serve("on");
    const [first] = stage.model.turns("on");
    const start = first?.system.indexOf("## Cross-session chat") ?? -1;
    if (first === undefined || start < 0) throw new Error("the model got no section of thatch");
    const section = first.system.slice(start);
    const tools = chatTools(first);

    const mail = mailer(stage.databasePath);
    stage.model.script(
      "on",
      queue([{ when: whenSays(/go on/), reply: call("bash", { command: "true", description: "work" }) }]),
    );
    const before = stage.model.turns("on").length;
    mail.send(id);
    const wake = await until("the wake", () => stage.model.turns("on")[before]);
    await until("the turn to end", () => serve.client.isIdle(id));
    stage.model.script(
      "on",
      queue([
        {
          when: whenSays(/go on/),
          reply: () => {
            mail.send(id);
            return call("bash", { command: "true", description: "work" });
          },
        },
      ]),
    );
    await serve.client.prompt(id, "go on");
    const told = stage.model.turns("on").find((request) => request.toolResults.at(-1)?.text.includes("[thatch]"));
    const notice = /\[thatch\][^\n]*/.exec(told?.toolResults.at(-1)?.text ?? "")?.[0] ?? "";
    mail.close();

    const config = join(stage.databasePath, "..", "off.json");
    await Bun.write(config, '{"chat": {"enabled": false}}');
    const off = await stage.serve("off", { env: { THATCH_CONFIG_PATH: config } });
    const bare = await stage.serve("bare", { thatch: false });
    const size = (who: string, directory: string) =>
      bytes(
        JSON.stringify({
          system: stage.model.turns(who)[0]?.system.replaceAll(directory, ""),
          tools: stage.model.turns(who)[0]?.tools,
        }),
      );
    const extra = size("off", off.home.directory) - size("bare", bare.home.directory);

    const figure = (what: string, measured: number, goal: number, floor = "0 bytes: no thatch"): Figure => ({
      what,
      measured: `${measured} bytes`,
      floor,
      goal: `≤ ${goal}`,
      met: measured > 0 ? measured <= goal : goal === 0 && measured === 0,
    });
    return [
      figure("system section", bytes(section), 1_200),
      figure(`the ${tools.length} tool definitions`, bytes(JSON.stringify(tools)), 5_000),
      figure("a wake, names left out", bytes(wake.lastUserText.replace("(left)", "")), 300),
      figure("a notice, names left out", bytes(notice.replace("(left)", "")), 160),
      figure("system prompt and tools with chat disabled", extra, 0, "0 bytes: the same without thatch"),
    ];
  } finally {
    await stage.close();
  }
}
