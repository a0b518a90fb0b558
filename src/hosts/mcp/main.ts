import manifest from "../../../package.json" with { type: "json" };
import { runMcp } from "./run-mcp.ts";

await runMcp(process.env, process.cwd(), manifest.version);
