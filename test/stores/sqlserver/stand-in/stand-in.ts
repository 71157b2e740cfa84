import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createDatabase, type Database } from './database.ts'
import { messagesTo, packetsOf } from './packets.ts'
import { type Asked, askedOf } from './requests.ts'
import { createSession } from './session.ts'

/** The received messages in order. Connections are numbered from 1. */
export type Sent = Asked & { readonly connection: number }

/** A stand-in for SQL Server: speaks the TDS protocol and answers from SQLite. */
export interface StandIn {
  /** Returns the URL of a database with this name, initially empty. */
  readonly urlOf: (database: string) => string
  /** All messages received so far. The list grows. */
  readonly sent: readonly Sent[]
  /** Unsupported messages. Each closed its connection. */
  readonly faults: readonly unknown[]
  readonly stop: () => Promise<void>
}

/** Starts the stand-in on a free loopback port. */
export async function startStandIn(): Promise<StandIn> {
  const sent: Sent[] = []
  const faults: unknown[] = []
  const databases = new Map<string, Database>()
  const sockets = new Set<Socket>()

  function databaseOf(name: string): Database {
    const database = databases.get(name) ?? createDatabase()
    databases.set(name, database)
    return database
  }

  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const connection = connections
    const session = createSession(databaseOf)
    sockets.add(socket)
    socket.setNoDelay()
    let turn = Promise.resolve()
    const inTurn = (work: () => Promise<void>) => {
      turn = turn.then(work).catch((error) => {
        faults.push(error)
        socket.destroy()
      })
    }
    const receive = messagesTo((message) =>
      inTurn(async () => {
        if (message.isReset) session.end()
        const asked = askedOf(message)
        sent.push({ ...asked, connection })
        const answer = await session.answer(asked)
        if (socket.writable) socket.write(packetsOf(answer))
      }),
    )
    socket.on('data', receive)
    // If the client was killed, its open transaction is rolled back.
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      inTurn(async () => session.end())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    urlOf: (database) =>
      `sqlserver://127.0.0.1:${port};database=${database};user=sa;password=any;encrypt=false`,
    sent,
    faults,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
