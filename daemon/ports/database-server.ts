/**
 * The port to servers on which the daemon makes databases for branches. Each database has a user of the same name, with
 * rights on this database alone. Every call has a time limit. Errors are DaemonError without a password or a URL:
 * `transient` if the server does not answer.
 */

import type { Readable } from 'node:stream'
import type { ServerKind } from '../domain/records.ts'
import type { Redacted } from './redacted.ts'

/** A database and its user. `name` consists of `a-z`, `0-9` and `_`, and has at most 32 characters. */
export interface DatabaseAccess {
  readonly name: string
  readonly password: Redacted
}

export interface DatabaseServer {
  readonly kind: ServerKind
  /** Returns the URL with which an app uses its database. */
  urlOf(access: DatabaseAccess): Redacted
  exists(name: string): Promise<boolean>
  /** Creates user and database, or completes them. Sets the password and allows connections. Keeps data. Idempotent. */
  create(access: DatabaseAccess): Promise<void>
  /** Refuses the user and ends its connections. Keeps the data. No-op if the user is absent. */
  revoke(name: string): Promise<void>
  /** Removes database and user. No-op if absent. */
  drop(name: string): Promise<void>
  /** Returns the bytes of a database on disk; undefined if unknown. */
  sizeOf(name: string): Promise<number | undefined>
  /** Streams a dump of one instant. Fails the stream with DaemonError if the dump is incomplete. */
  dump(access: DatabaseAccess, options: TransferOptions): Promise<Readable>
  /** Loads a dump into an empty database, with the rights of its user. Throws `unprocessable` with the fault. */
  load(access: DatabaseAccess, dump: Readable, options: TransferOptions): Promise<void>
}

export interface TransferOptions {
  /** The programs of the transfer run in the cell of this project. */
  readonly projectId: number
  readonly signal: AbortSignal
}

/** The servers of the settings, by kind. */
export type DatabaseServers = Readonly<Partial<Record<ServerKind, DatabaseServer>>>
