/** Where chance comes from, so that a rule can be tested without it. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** A word of `[a-z0-9]` that nobody can guess: at least 50 bits. */
  token(): string;
}
