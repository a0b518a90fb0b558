import { type Cast, openCast } from "./cast.ts";
import { attachCommand, liveScript } from "./hold.ts";
import { play } from "./play.ts";
import { bold, dim, printDatabase, verdict } from "./print.ts";

const USAGE = `Usage: npm run demo [-- --hold]

Two real opencode sessions, each in a process and a home of its own, hold a conversation through thatch. A scripted model plays
their parts; nothing leaves this machine, and nothing is left on it.

  --hold   keep both sessions open afterwards, so that you can attach to them
  --help   print this text`;

/** The interval of heartbeats that the sessions of the demo run with: thatch's default. */
const POLL_MS = 30_000;

const args = process.argv.slice(2);
const unknown = args.find((arg) => arg !== "--hold" && arg !== "--help");
if (unknown !== undefined) {
  console.error(`Unknown argument ${JSON.stringify(unknown)}.\n\n${USAGE}`);
  process.exit(2);
}
if (args.includes("--help")) {
  console.log(USAGE);
  process.exit(0);
}

const cast = await openCast();
const ended = Promise.withResolvers<void>();
let interrupted = false;
/** Every step was seen, and the sessions only stay open for the person. */
let held = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interrupted = true;
    ended.resolve();
    void cast.close().then(
      () => process.exit(held ? 0 : 130),
      (error) => {
        console.error(String(error));
        process.exit(1);
      },
    );
  });
}

try {
  process.exitCode = (await perform(cast)) ? 0 : 1;
} catch (error) {
  // What fails because it is being ended is no failure of its own.
  if (!interrupted) {
    console.error(error);
    process.exitCode = 1;
  }
} finally {
  await cast.close();
}

async function perform(stage: Cast): Promise<boolean> {
  console.log(`${bold("thatch")}: two opencode processes, one database, a scripted model. Starting them …`);
  const website = await stage.join("website", "Relaunch of the website");
  const release = await stage.join("release", "Release 2.0");
  for (const { name, who, serve } of [website, release]) {
    console.log(`  ${bold(name.padEnd(8))} ${dim(`session in project ${who}, opencode process ${serve.pid}`)}`);
  }
  console.log();
  const started = performance.now();
  const { seen, missing } = await play(stage.model, stage.store, website, release);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await printDatabase(stage.store, POLL_MS);
  const faults = stage.model.takeFaults();
  if (missing !== null || faults.length > 0) {
    const why = missing === null ? faults.join("\n") : `${missing.step.who} ${missing.step.what}: ${missing.why}`;
    verdict(false, `Step ${seen + 1} was not seen in what the models received. ${why}`);
    return false;
  }
  verdict(true, `All ${seen} steps were seen in what the models received; the conversation took ${seconds} s.`);
  if (!args.includes("--hold")) return true;
  held = true;

  stage.model.script("website", liveScript(release.name));
  stage.model.script("release", liveScript(website.name));
  console.log(`\n${bold("Both sessions stay open.")} Watch them from another terminal:\n`);
  console.log(`  THATCH_DB_PATH=${stage.databasePath} bin/thatch chat tail\n`);
  console.log("or attach to either:\n");
  for (const actor of [website, release]) console.log(`${bold(actor.name)}:\n${attachCommand(actor)}\n`);
  console.log(
    "Type anything: the session passes it on to the other one, which is woken and answers. Ctrl-C here ends it all.",
  );
  await ended.promise;
  return true;
}
