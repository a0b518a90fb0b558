// Stands beside thatch in the real opencode and writes down when a prompt is handed to opencode: one line of milliseconds since the
// epoch each. All plugins of an instance share one client, so the wrapped call is the one thatch makes.
import { appendFileSync } from "node:fs";

interface Input {
  readonly client: { readonly session: { promptAsync(options: { body?: { noReply?: boolean } }): Promise<unknown> } };
}

const file = process.env.BENCH_PROBE ?? "";

async function server({ client }: Input) {
  const { session } = client;
  const promptAsync = session.promptAsync.bind(session);
  session.promptAsync = (options) => {
    if (options.body?.noReply !== true) appendFileSync(file, `${performance.timeOrigin + performance.now()}\n`);
    return promptAsync(options);
  };
  return {};
}

export default { id: "thatch-bench-probe", server };
