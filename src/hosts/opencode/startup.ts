import type { parseOpencodeCommandLine } from "../../core/command-line.ts";
import type { Instance } from "./instance.ts";
import type { Runtime } from "./runtime.ts";

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
  const found = await retried(runtime, () =>
    continues.kind === "session" ? instance.client.session(continues.id) : instance.client.latestSession(),
  );
  if (found === null || found.parentId !== null) return;
  const session = runtime.hosted.host({ ...found, directory: instance.directory }, instance);
  if (await instance.client.isBusy(found.id)) runtime.hosted.turnStarted(session);
  await runtime.registrar.ensure(session, config);
  runtime.log("startup", `${found.id} is continued as ${session.name ?? "a session that left"}`);
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
