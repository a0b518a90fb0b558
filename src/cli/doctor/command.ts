import { buildCommand } from "@stricli/core";
import { BRIEF } from "../../text/cli.ts";
import type { CliContext } from "../context.ts";
import type { DoctorFlags } from "./doctor.ts";

export const doctorCommand = buildCommand<DoctorFlags, [], CliContext>({
  docs: { brief: BRIEF.doctor },
  parameters: { flags: { json: { kind: "boolean", default: false, brief: BRIEF.doctorJson } } },
  loader: async () => (await import("./doctor.ts")).runDoctor,
});
