import { readFileSync } from "node:fs";
import { call, whenSays } from "../testbed/script.ts";
import { until } from "../testbed/wait.ts";
import { mailer, openStage } from "./stage.ts";
import { type Figure, milliseconds, quantile, wallClock } from "./table.ts";

const ROUNDS = 100;
/** A transcript that grows slows opencode's own turns; a new session every so often keeps that out of the figures. */
const ROUNDS_A_SESSION = 20;

/** How long mail takes to its reader on the real opencode: to the prompt, and to the request at the model. */
export async function wakeFigures(floorMs: readonly number[]): Promise<Figure[]> {
  const stage = await openStage();
  try {
    const { serve, id: first } = await stage.serve("reader");
    let id = first;
    stage.model.script("reader", (request) =>
      whenSays(/^\[thatch\]/)(request) ? call("thatch_chat_read") : { text: "Done." },
    );
    const mail = mailer(stage.databasePath);
    const calm = async () => {
      await until("the reader to be idle", () => serve.client.isIdle(id));
      await until("the mail to be read", () => mail.unread(id) === 0);
      // opencode still works a while after its idle event; what is asked for is a recipient that is idle.
      await Bun.sleep(300 + Math.random() * 200);
    };
    const renew = async () => {
      ({ id } = await serve.client.createSession());
      await serve.client.prompt(id, "hello");
    };
    const requestAfter = (seen: number) => until("the request", () => stage.model.turns("reader")[seen]);

    const toPrompt: number[] = [];
    const toRequest: number[] = [];
    const direct: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round % ROUNDS_A_SESSION === 0) await renew();
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
