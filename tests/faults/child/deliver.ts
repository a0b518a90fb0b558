// Beats for the given sessions and delivers to them as a host process does, until it is killed: `<database> <recipient>…`.
// Prints `ready`, `took recipient upToId` for every wake it takes, and `settled recipient upToId` when that is stored.
import type { ChatStore } from "../../../src/core/store.ts";
import { createPoller } from "../../../src/delivery/poller.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { DAY, LIMITS } from "../../store/fixtures.ts";

const [file = "", ...recipients] = process.argv.slice(2);
const real = createSqliteStore({ file, patienceMs: 60_000 });
const store: ChatStore = {
  ...real,
  async takeWake(sessionId, at, limits) {
    const take = await real.takeWake(sessionId, at, limits);
    if (take.kind === "wake") console.log(`took ${sessionId} ${take.upToId}`);
    return take;
  },
  async settleWake(sessionId, take, ...how) {
    await real.settleWake(sessionId, take, ...how);
    console.log(`settled ${sessionId} ${take.upToId}`);
  },
};
createPoller({
  store,
  clock: { now: () => Date.now() },
  hosting: {
    sessionIds: () => recipients,
    busyIds: () => [],
    canDeliver: () => true,
    wake: async () => {
      await Bun.sleep(2);
      return "started";
    },
  },
  limits: { ...LIMITS, cap: 1_000_000, leaseMs: 5_000 },
  pollMs: 200,
  ttlMs: 7 * DAY,
  log: (scope, message, error) => console.error(scope, message, error),
}).start();
console.log("ready");
setInterval(() => {}, 1 << 30);
