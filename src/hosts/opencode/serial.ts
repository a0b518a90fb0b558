/** Runs tasks one after the other, each key for itself. */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs the task once everything asked for under the same key before has ended, whether it failed or not. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    this.#tails.set(key, result);
    const settled = () => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(settled, settled);
    return result;
  }
}
