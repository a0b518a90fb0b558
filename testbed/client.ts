/** A session as opencode's HTTP interface returns it. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  readonly directory: string;
  readonly parentID?: string;
  readonly time: { readonly created: number; readonly updated: number };
}

/** One part of a message; which fields there are depends on `type`. */
export interface Part {
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly ignored?: boolean;
  readonly tool?: string;
  readonly state?: { readonly status: string; readonly output?: string; readonly error?: string };
}

/** A message with its parts. */
export interface MessageInfo {
  readonly info: {
    readonly id: string;
    readonly role: "user" | "assistant";
    readonly agent?: string;
    readonly mode?: string;
    /** Of a user's message. */
    readonly model?: { readonly providerID: string; readonly modelID: string; readonly variant?: string };
    /** Of an assistant's message. */
    readonly modelID?: string;
    readonly error?: unknown;
  };
  readonly parts: readonly Part[];
}

/** What is prompted: one text, or parts, with the agent and model if they are not to be the session's own. */
export interface Prompt {
  readonly parts: readonly {
    readonly type: "text";
    readonly text: string;
    readonly synthetic?: boolean;
    readonly ignored?: boolean;
  }[];
  readonly agent?: string;
  readonly model?: { readonly providerID: string; readonly modelID: string };
  readonly variant?: string;
  readonly messageID?: string;
  readonly noReply?: boolean;
}

/** Whether a session runs a turn. Sessions that are not listed are idle. */
export interface Status {
  readonly type: "idle" | "busy" | "retry";
}

/** An event of the server, such as `session.idle`. */
export interface ServerEvent {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A permission that a session waits for. */
export interface PendingPermission {
  readonly id: string;
  readonly sessionID: string;
}

/** Answers a server gives well within this time; a request that takes longer is given up with an error that names it. */
const REQUEST_TIMEOUT_MS = 15_000;
const TURN_TIMEOUT_MS = 60_000;

/** Speaks to one `opencode serve` about one directory. Every method rejects on a status that is not 2xx. */
export class Client {
  constructor(
    readonly url: string,
    readonly directory: string,
  ) {}

  /** The same server, about another directory. */
  at(directory: string): Client {
    return new Client(this.url, directory);
  }

  createSession(how: { parentID?: string; title?: string } = {}): Promise<SessionInfo> {
    return this.#ask("POST", "/session", how);
  }

  get(sessionId: string): Promise<SessionInfo> {
    return this.#ask("GET", `/session/${sessionId}`);
  }

  sessions(): Promise<SessionInfo[]> {
    return this.#ask("GET", "/session");
  }

  delete(sessionId: string): Promise<boolean> {
    return this.#ask("DELETE", `/session/${sessionId}`);
  }

  fork(sessionId: string): Promise<SessionInfo> {
    return this.#ask("POST", `/session/${sessionId}/fork`, {});
  }

  abort(sessionId: string): Promise<boolean> {
    return this.#ask("POST", `/session/${sessionId}/abort`);
  }

  messages(sessionId: string): Promise<MessageInfo[]> {
    return this.#ask("GET", `/session/${sessionId}/message`);
  }

  /** Prompts the session and waits for the end of the turn; resolves to the assistant's last message. */
  prompt(sessionId: string, prompt: string | Prompt): Promise<MessageInfo> {
    return this.#ask("POST", `/session/${sessionId}/message`, promptOf(prompt), TURN_TIMEOUT_MS);
  }

  /** Prompts the session and returns at once; the turn runs on. */
  async promptAsync(sessionId: string, prompt: string | Prompt): Promise<void> {
    await this.#ask("POST", `/session/${sessionId}/prompt_async`, promptOf(prompt));
  }

  /** Runs a command such as `thatch/exit` in the session and waits for the end of its turn. */
  command(sessionId: string, command: string, args = ""): Promise<MessageInfo> {
    return this.#ask("POST", `/session/${sessionId}/command`, { command, arguments: args }, TURN_TIMEOUT_MS);
  }

  /** Compacts the session with the given model. */
  summarize(sessionId: string, model: { providerID: string; modelID: string }): Promise<boolean> {
    return this.#ask("POST", `/session/${sessionId}/summarize`, model, TURN_TIMEOUT_MS);
  }

  /** The sessions that are not idle. */
  status(): Promise<Record<string, Status>> {
    return this.#ask("GET", "/session/status");
  }

  async isIdle(sessionId: string): Promise<boolean> {
    const status = (await this.status())[sessionId];
    return status === undefined || status.type === "idle";
  }

  permissions(): Promise<PendingPermission[]> {
    return this.#ask("GET", "/permission");
  }

  replyPermission(id: string, reply: "once" | "always" | "reject"): Promise<boolean> {
    return this.#ask("POST", `/permission/${id}/reply`, { reply });
  }

  /** Ends this directory's instance; the next request makes a new one. */
  disposeInstance(): Promise<boolean> {
    return this.#ask("POST", "/instance/dispose");
  }

  /**
   * Follows the directory's events until `stop` is called. Resolves once the server streams them. When the stream ends by
   * itself, `listen` gets one last event, `testbed.stream.ended {reason}`.
   */
  async events(listen: (event: ServerEvent) => void): Promise<{ stop(): void }> {
    const abort = new AbortController();
    const response = await fetch(`${this.url}/event`, { headers: this.#headers(), signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`GET /event answered ${response.status}.`);
    void follow(response.body, listen)
      .then(() => "the server closed it", String)
      .then((reason) => {
        if (!abort.signal.aborted) listen({ type: "testbed.stream.ended", properties: { reason } });
      });
    return { stop: () => abort.abort() };
  }

  /** Asks for any path; for what has no method here. */
  request<T>(method: string, path: string, body?: unknown, timeoutMs?: number): Promise<T> {
    return this.#ask(method, path, body, timeoutMs);
  }

  #headers(): Record<string, string> {
    return { "content-type": "application/json", "x-opencode-directory": encodeURIComponent(this.directory) };
  }

  async #ask<T>(method: string, path: string, body?: unknown, timeoutMs = REQUEST_TIMEOUT_MS): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: this.#headers(),
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${path} on ${this.url} failed: ${String(error)}`, { cause: error });
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

function promptOf(prompt: string | Prompt): Prompt {
  return typeof prompt === "string" ? { parts: [{ type: "text", text: prompt }] } : prompt;
}

async function follow(stream: ReadableStream<Uint8Array>, listen: (event: ServerEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: ")) listen(JSON.parse(line.slice("data: ".length)) as ServerEvent);
    }
  }
}
