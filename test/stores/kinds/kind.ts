import type { Skipped } from '../servers/test-server.ts'

/** A kind of store at hand, and what the tests do to it behind the back of the applications. */
export interface Kind {
  /** What serves it, which need not be what it stands for: `mongo-java-server`. */
  readonly name: string
  readonly version: string
  /** Makes an empty store and returns its URL. */
  readonly freshDatabase: () => Promise<string>
  /** The names of all that lies on the server and in the store of that URL: databases, schemas, tables. */
  readonly contents: (url: string) => Promise<readonly string[]>
  /** Takes a table away, so that each query of it fails. */
  readonly dropTable: ((url: string, table: string) => Promise<void>) | Skipped
  /** Keeps other processes from writing, until what it returns is called; only where one write waits for another. */
  readonly holdWrites: ((url: string) => Promise<Release>) | Skipped
  /** Lets it keep silent, until what it returns is called. */
  readonly freeze: ((url: string) => Promise<Release>) | Skipped
  /** Ends its server at once, and starts it again with its data, on the same port. */
  readonly server:
    | { readonly kill: () => Promise<void>; readonly restart: () => Promise<void> }
    | Skipped
  /** Removes all that `freshDatabase` made, and ends what was started. */
  readonly stop: () => Promise<void>
}

export type Release = () => Promise<void>

export type StartKind = () => Promise<Kind | Skipped>
