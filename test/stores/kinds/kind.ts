import type { Skipped } from '../servers/test-server.ts'

/** A running store of one kind, with operations that tests do directly, without the application. */
export interface Kind {
  /** The program that serves the store, which may be a substitute: `mongo-java-server`. */
  readonly name: string
  readonly version: string
  /** Creates an empty database. Returns its URL. */
  readonly freshDatabase: () => Promise<string>
  /** Returns the names of all databases on the server, and of all schemas and tables in the database of the URL. */
  readonly contents: (url: string) => Promise<readonly string[]>
  /** Drops a table, so that each query on the table fails. */
  readonly dropTable: ((url: string, table: string) => Promise<void>) | Skipped
  /** Blocks writes of other processes until the returned function is called. Skipped if writes never wait. */
  readonly holdWrites: ((url: string) => Promise<Release>) | Skipped
  /** Suspends the server until the returned function is called. */
  readonly freeze: ((url: string) => Promise<Release>) | Skipped
  /** Kills the server, and restarts it with its data on the same port. */
  readonly server:
    | { readonly kill: () => Promise<void>; readonly restart: () => Promise<void> }
    | Skipped
  /** Removes all databases of `freshDatabase` and stops the server, if the tests started it. */
  readonly stop: () => Promise<void>
}

export type Release = () => Promise<void>

export type StartKind = () => Promise<Kind | Skipped>
