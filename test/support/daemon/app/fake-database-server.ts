import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import { DaemonError } from '../../../../daemon/errors.ts'
import type { DatabaseServer } from '../../../../daemon/ports.ts'

export interface FakeDatabase {
  password: string
  mayLogIn: boolean
  /** The data; tests write it as an app would. */
  data: string
}

/** A server that keeps one text in each database. */
export interface FakeDatabaseServer extends DatabaseServer {
  readonly databases: Map<string, FakeDatabase>
  /** True: every call fails like a server that does not answer. */
  isDown: boolean
  /** Returns the database of a URL that an app received. */
  at(url: string): FakeDatabase
}

export function createFakeDatabaseServer(): FakeDatabaseServer {
  const databases = new Map<string, FakeDatabase>()
  const answer = () => {
    if (fake.isDown) throw new DaemonError('transient', 'the server does not answer')
  }
  const fake: FakeDatabaseServer = {
    kind: 'postgres',
    databases,
    isDown: false,
    at(url) {
      const { pathname, password } = new URL(url)
      const found = databases.get(pathname.slice(1))
      if (!found || found.password !== password) throw new Error(`no database for ${url}`)
      return found
    },
    urlOf: ({ name, password }) =>
      redacted(`postgres://${name}:${password.reveal()}@db.example.com/${name}`),
    async exists(name) {
      answer()
      return databases.has(name)
    },
    async create({ name, password }) {
      answer()
      const data = databases.get(name)?.data ?? ''
      databases.set(name, { data, password: password.reveal(), mayLogIn: true })
    },
    async revoke(name) {
      answer()
      const found = databases.get(name)
      if (found) found.mayLogIn = false
    },
    async drop(name) {
      answer()
      databases.delete(name)
    },
    async sizeOf(name) {
      answer()
      return databases.get(name)?.data.length
    },
    async dump({ name }) {
      answer()
      return Readable.from([Buffer.from(databases.get(name)?.data ?? '')])
    },
    async load({ name }, dump) {
      answer()
      const loaded = await text(dump)
      const found = databases.get(name)
      if (!found) throw new Error(`no database ${name}`)
      found.data += loaded
    },
  }
  return fake
}
