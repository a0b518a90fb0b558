import type { BodyFault } from "./message.ts";

/** Everything that chat refuses or cannot do, with the facts its sentence needs. */
export type ChatFailure =
  | BodyFault
  | { readonly code: "unknown-recipient"; readonly recipient: string; readonly nearest: readonly string[] }
  | { readonly code: "ambiguous-recipient"; readonly recipient: string; readonly matches: readonly string[] }
  | { readonly code: "departed-recipient"; readonly recipient: string }
  | { readonly code: "not-registered" }
  | { readonly code: "self-recipient"; readonly name: string }
  | { readonly code: "unknown-reply"; readonly replyTo: number; readonly recipient: string }
  | { readonly code: "child-session"; readonly parentId: string }
  | { readonly code: "store-busy"; readonly file: string; readonly waitedMs: number }
  | { readonly code: "store-unavailable"; readonly file: string; readonly reason: string }
  | { readonly code: "store-too-new"; readonly file: string; readonly found: number; readonly supported: number };

/** A failure on its way to the caller; what a model or a person reads of it is written in `text/errors.ts`. */
export class ChatError extends Error {
  constructor(
    readonly failure: ChatFailure,
    options?: ErrorOptions,
  ) {
    super(`${failure.code} ${JSON.stringify(failure)}`, options);
    this.name = "ChatError";
  }
}
