import { ChatError, type ChatFailure } from "../../src/core/errors.ts";

/** The failure of the `ChatError` that `operation` rejects with. */
export async function failureOf(operation: Promise<unknown>): Promise<ChatFailure> {
  try {
    await operation;
  } catch (error) {
    if (error instanceof ChatError) return error.failure;
    throw error;
  }
  throw new Error("the operation succeeded");
}

/** The failure of the `ChatError` that `operation` throws. */
export function thrownBy(operation: () => unknown): Promise<ChatFailure> {
  return failureOf((async () => operation())());
}
