import { readFileSync } from "node:fs";
import { call, whenSays } from "../testbed/script.ts";
import { until } from "../testbed/wait.ts";
import { mailer, openStage } from "./stage.ts";
import { type Figure, milliseconds, quantile, wallClock } from "./table.ts";

const ROUNDS = 200;

/** How long mail takes to its reader on the real opencode: to the prompt, and to the request at the model. */
export async function wakeFigures(floorMs: readonly number[]): Promise<Figure[]> {
  const stage = await openStage();
  try {
    const { serve, id } = await stage.serve("reader");
    stage.model.script("reader", (request) =>
      whenSays(/^\[thatch\]/)(request) ? call("thatch_chat_read") : { text: "Done." },
    );
    const mail = mailer(stage.databasePath);
    const calm = async () => {
      await until("the reader to be idle", () => serve.client.isIdle(id));
      await until("the mail to be read", () => mail.unread(id) === 0);
      await Bun.sleep(50 + Math.random() * 100);
    };
    const requestAfter = (seen: number) => until("the request", () => stage.model.turns("reader")[seen]);

    const toPrompt: number[] = [];
    const toRequest: number[] = [];
    const direct: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await calm();
      let seen = stage.model.turns("reader").length;
      mail.send(id);
      const committed = wallClock();
      toRequest.push((await requestAfter(seen)).at - committed);
      toPrompt.push(Number(readFileSync(stage.probeFile("reader"), "utf8").trim().split("\n").at(-1)) - committed);

      await calm();
      seen = stage.model.turns("reader").length;
      const prompted = wallClock();
      await serve.client.promptAsync(id, { parts: [{ type: "text", text: "hello", synthetic: true }] });
      direct.push((await requestAfter(seen)).at - prompted);
    }
    mail.close();

    const [median, p99] = [quantile(toPrompt, 0.5), quantile(toPrompt, 0.99)];
    return [
      {
        what: "commit of another process → promptAsync called in the real opencode",
        measured: milliseconds(toPrompt),
        floor: `${milliseconds(floorMs)}: bare fs.watch and data_version`,
        goal: "median ≤ 2 ms, p99 ≤ 10 ms",
        met: median <= 2 && p99 <= 10,
      },
      {
        what: "message stored → request at the recipient's model",
        measured: milliseconds(toRequest),
        floor: `${milliseconds(direct)}: promptAsync over HTTP → request`,
        goal: "median ≤ floor + 25 ms",
        met: quantile(toRequest, 0.5) <= quantile(direct, 0.5) + 25,
      },
    ];
  } finally {
    await stage.close();
  }
}
