import type { parseOpencodeCommandLine } from "../../core/command-line.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";
import { takeUp } from "./take-up.ts";

/** What the command line says the terminal continues. */
export type Continues = ReturnType<typeof parseOpencodeCommandLine>["continues"];

const ATTEMPTS = 5;

/**
 * Takes back a session that the terminal continues. opencode sends no event for it, so without this it would not be hosted
 * before its next prompt; mail that came while it was closed is delivered at once.
 */
export async function hostContinued(
  runtime: Runtime,
  instance: Instance,
  continues: NonNullable<Continues>,
): Promise<void> {
  const config = runtime.config();
  if (!config.enabled) return;
  const session = await retried(runtime, async () => {
    const id = continues.kind === "session" ? continues.id : (await instance.client.latestSession())?.id;
    return id === undefined ? null : takeUp(runtime, instance, id);
  });
  if (session === null) return;
  await runtime.registrar.ensure(session, config);
  runtime.log("startup", `${session.id} is continued as ${session.name ?? "a session that left"}`);
  await runtime.poller.flush(session.id);
}

/** opencode may not answer yet while it starts. */
async function retried<T>(runtime: Runtime, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      runtime.log("startup", `attempt ${attempt} of ${ATTEMPTS} failed`, error);
    }
  }
}
