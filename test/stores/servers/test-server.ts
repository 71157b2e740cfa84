/** A server for tests: a temporary one on a free port, or the external server of `TEST_<KIND>_URL`. */
export interface TestServer {
  readonly url: string
  /** The product name, which may be a substitute: `mongo-java-server`. */
  readonly name: string
  readonly version: string
  /** Stops the server and removes its files. No-op for an external server. */
  stop(): Promise<void>
  /**
   * Sends a signal and waits until the server has ended, except for `SIGSTOP` and `SIGCONT`. Keeps the data.
   * Undefined for an external server.
   */
  readonly kill: ((signal: NodeJS.Signals) => Promise<void>) | undefined
  /** Restarts the server with its data on the same port. Shuts a running server down first. */
  readonly restart: (() => Promise<void>) | undefined
}

/** Why a kind has no server here. */
export interface Skipped {
  readonly skipped: string
}

export type StartServer = () => Promise<TestServer | Skipped>
