/** A server for tests: one of our own on a free port, or that of `TEST_<KIND>_URL`. */
export interface TestServer {
  readonly url: string
  /** What it is, which need not be what it stands for: `mongo-java-server`. */
  readonly name: string
  readonly version: string
  /** Ends it and removes what it left. One that is not ours stays as it is. */
  stop(): Promise<void>
  /**
   * Sends a signal, and waits for the end that it brings; `SIGSTOP` and `SIGCONT` bring none. Data stay.
   * Undefined where the server is not ours.
   */
  readonly kill: ((signal: NodeJS.Signals) => Promise<void>) | undefined
  /** Starts it again with its data, on the same port; one that still runs is ended first, and gently. */
  readonly restart: (() => Promise<void>) | undefined
}

/** Why there is no server of a kind here. */
export interface Skipped {
  readonly skipped: string
}

export type StartServer = () => Promise<TestServer | Skipped>
