import { describe } from "bun:test";
import { directoryContract } from "./contract-directory.ts";
import { feedContract } from "./contract-feed.ts";
import { identityContract } from "./contract-identity.ts";
import { mailContract } from "./contract-mail.ts";
import { pruneContract } from "./contract-prune.ts";
import { wakeContract } from "./contract-wakes.ts";
import type { MakeBench } from "./fixtures.ts";

/** What every store has to do, whatever it keeps its rows in. */
export function describeStore(name: string, makeBench: MakeBench): void {
  describe(name, () => {
    directoryContract(makeBench);
    mailContract(makeBench);
    feedContract(makeBench);
    identityContract(makeBench);
    wakeContract(makeBench);
    pruneContract(makeBench);
  });
}
