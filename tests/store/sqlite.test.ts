import { makeSqliteBench } from "./bench.ts";
import { describeStore } from "./contract.ts";

describeStore("the SQLite store", makeSqliteBench);
