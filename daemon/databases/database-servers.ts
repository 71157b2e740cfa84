import type { ServerKind } from '../domain/records.ts'
import type { DatabaseServer, DatabaseServers, Redacted, Walls } from '../ports.ts'
import { createMysqlServer } from './mysql.ts'
import { createPostgresServer } from './postgres.ts'

export interface ServerOptions {
  /** The administrator's URL. It stays in this process. */
  readonly url: Redacted
  /** The programs of dumps run in the cells of projects. */
  readonly cells: Pick<Walls, 'cell' | 'end'>
  /** PATH of the daemon. */
  readonly path: string
}

const adapters: Readonly<Partial<Record<ServerKind, (options: ServerOptions) => DatabaseServer>>> =
  {
    postgres: createPostgresServer,
    mysql: createMysqlServer,
  }

/** Returns the servers of the administrators' URLs. Connects to none, and loads no driver. */
export function createDatabaseServers(
  urls: Readonly<Partial<Record<ServerKind, Redacted>>>,
  options: Omit<ServerOptions, 'url'>,
): DatabaseServers {
  const entries = Object.entries(adapters).flatMap(([kind, create]) => {
    const url = urls[kind as ServerKind]
    return url ? [[kind, create({ ...options, url })]] : []
  })
  return Object.fromEntries(entries)
}
