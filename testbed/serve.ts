import { Client } from "./client.ts";
import { type Home, OPENCODE_BINARY } from "./home.ts";
import { end, isAlive, Output } from "./process.ts";
import { until } from "./wait.ts";

/** A running `opencode serve`. */
export interface Serve {
  readonly url: string;
  readonly pid: number;
  readonly client: Client;
  /** What it has printed on stderr so far. */
  readonly stderr: string;
  /** SIGTERM, and SIGKILL when that does not help. */
  stop(): Promise<void>;
  /** SIGKILL: nothing in it gets a chance to tidy up. */
  kill9(): Promise<void>;
}

/** Starts `opencode serve` in the home and waits until it listens: an earlier request would hang for ever. */
export async function startServe(
  home: Home,
  how: { directory?: string; args?: readonly string[] } = {},
): Promise<Serve> {
  const directory = how.directory ?? home.directory;
  const child = Bun.spawn([OPENCODE_BINARY, "serve", "--hostname", "127.0.0.1", "--port", "0", ...(how.args ?? [])], {
    cwd: directory,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  try {
    const url = await until(
      "opencode serve to listen",
      () => {
        const listening = /opencode server listening on (http:\/\/\S+)/.exec(stdout.text)?.[1];
        if (listening === undefined && !isAlive(child.pid)) return { failed: stdout.text + stderr.text };
        return listening === undefined ? null : { listening };
      },
      30_000,
    );
    if (!("listening" in url)) throw new Error(`opencode serve ended at its start: ${url.failed}`);
    return {
      url: url.listening,
      pid: child.pid,
      client: new Client(url.listening, directory),
      get stderr() {
        return stderr.text;
      },
      stop: () => end(child.pid),
      kill9: () => end(child.pid, "SIGKILL"),
    };
  } catch (error) {
    await end(child.pid, "SIGKILL");
    throw error;
  }
}
