// Runs a program of the project on its own Bun, and hands on signals and the exit code.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [program, ...args] = process.argv.slice(2);
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");
const child = spawn(bun, [join(root, program), ...args], { stdio: "inherit" });
// A signal from the terminal reaches the child by itself; one sent to this process alone has to be handed on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${bun} could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
