/**
 * What is known of a session's turn. `unknown`: nobody has told yet. `expected`: a prompt was seen that has no answer yet.
 * A session takes a wake only in `none`.
 */
export type TurnState = "unknown" | "expected" | "running" | "none";

/** A turn begins some milliseconds after its prompt; a prompt that was cancelled has none, and is waited for this long, in ms. */
const EXPECTED_MS = 2_000;

/** Follows the turns of one session. */
export class Turn {
  #state: TurnState = "unknown";
  #lapse: ReturnType<typeof setTimeout> | undefined;
  /** The newest prompt; ids of messages grow with time. */
  #prompted = "";
  /** The newest answer that its model began. */
  #answered = "";

  #marked = false;

  /** `lapsed` is called when an expected turn did not begin. */
  constructor(private readonly lapsed: () => void) {}

  get state(): TurnState {
    return this.#state;
  }

  /** Whether the directory may hold a mark of a turn that ran here; one that never did leaves another process's mark alone. */
  get marked(): boolean {
    return this.#marked;
  }

  /** The mark was taken back. */
  unmarked(): void {
    this.#marked = this.#state === "running";
  }

  /**
   * Takes what opencode answered when it was asked; false when that counts no more, since an event has told meanwhile: the
   * question was put before it.
   */
  answered(running: boolean): boolean {
    if (this.#state !== "unknown") return false;
    this.#enter(running ? "running" : "none");
    return true;
  }

  /** A prompt was seen, under this id once it has one. Its turn begins soon, or is a part of the one that runs. */
  prompted(messageId = ""): void {
    if (messageId > this.#prompted) this.#prompted = messageId;
    if (this.#state !== "running") this.#expect();
  }

  /** The model began an answer; false when it is not the newest. */
  answerBegan(messageId: string): boolean {
    if (messageId <= this.#answered) return false;
    this.#answered = messageId;
    return true;
  }

  /** A turn runs; false when one was running already. */
  began(): boolean {
    const fresh = this.#state !== "running";
    this.#enter("running");
    return fresh;
  }

  /**
   * No turn runs; false when none was running. While one is expected this tells of the one before, as opencode tells twice. A
   * prompt that came too late for the turn that ended is yet to be answered: then one is expected.
   */
  ended(): boolean {
    if (this.#state === "expected") return false;
    const ended = this.#state === "running";
    if (this.#prompted > this.#answered) this.#expect();
    else this.#enter("none");
    return ended;
  }

  /** Ends what waits for its time. */
  forget(): void {
    clearTimeout(this.#lapse);
  }

  /** A turn that is expected already is not waited for any longer. */
  #expect(): void {
    if (this.#state === "expected") return;
    this.#enter("expected");
    this.#lapse = setTimeout(() => {
      this.#prompted = "";
      this.#enter("none");
      this.lapsed();
    }, EXPECTED_MS);
    this.#lapse.unref?.();
  }

  #enter(state: TurnState): void {
    clearTimeout(this.#lapse);
    this.#state = state;
    if (state === "running") this.#marked = true;
  }
}
