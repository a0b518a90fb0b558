import type { ChatStore } from "../src/core/store.ts";
import type { Model, ModelRequest } from "../testbed/model.ts";
import type { Actor } from "./cast.ts";
import { dim, say } from "./print.ts";
import { askedScript, askerScript, LINES, type Step, storySteps } from "./story.ts";

/** A step gets this long. The slowest holds two turns of opencode; a cold machine takes seconds for one. */
const STEP_TIMEOUT_MS = 20_000;

/** How the story went: the steps that were seen, and the first one that was not. */
export interface Outcome {
  readonly seen: number;
  readonly missing: { readonly step: Step; readonly why: string } | null;
}

/** Waits for the steps one after the other and tells of each as it is seen. Stops at the first that is not. */
export async function watchStory(
  model: Pick<Model, "waitFor">,
  steps: readonly Step[],
  onSeen: (step: Step, request: ModelRequest) => Promise<void>,
  timeoutMs = STEP_TIMEOUT_MS,
): Promise<Outcome> {
  for (const [seen, step] of steps.entries()) {
    try {
      await onSeen(step, await model.waitFor(step.who, (request) => step.seen(request), timeoutMs));
    } catch (error) {
      return { seen, missing: { step, why: error instanceof Error ? error.message : String(error) } };
    }
  }
  return { seen: steps.length, missing: null };
}

/** Plays the story with two real sessions and prints it as it happens. */
export async function play(model: Model, store: ChatStore, website: Actor, release: Actor): Promise<Outcome> {
  model.script("website", askerScript(release.name));
  model.script("release", askedScript(website.name));
  const nameOf = { website: website.name, release: release.name };
  const sessionOf = { website: website.sessionId, release: release.sessionId };

  async function tell(step: Step, request: ModelRequest): Promise<void> {
    const name = nameOf[step.who];
    if (step.what === "is woken")
      say(name, `is woken, ${await sinceStored(store, sessionOf[step.who], request)} after the message was stored`);
    else if (step.what === "has its question stored") say(`${name} → ${release.name}`, `#1 ${LINES.question}`);
    else if (step.what === "has its answer stored") say(`${name} → ${website.name}`, `#2 ${LINES.answer}`);
    else say(name, dim(step.what));
  }

  say(`you → ${website.name}`, LINES.person);
  await website.serve.client.promptAsync(website.sessionId, LINES.person);
  const outcome = await watchStory(model, storySteps(website.name, release.name), tell);
  if (outcome.missing === null) say(`${website.name} → you`, LINES.report);
  return outcome;
}

/** From the moment the newest message for a session was stored before its wake to the request at its model. */
async function sinceStored(store: ChatStore, sessionId: string, wake: ModelRequest): Promise<string> {
  const message = (await store.feed(null)).findLast((one) => one.recipientId === sessionId && one.sentAt <= wake.at);
  if (!message) throw new Error("a session was woken, but no message is stored for it");
  return `${Math.round(wake.at - message.sentAt)} ms`;
}
