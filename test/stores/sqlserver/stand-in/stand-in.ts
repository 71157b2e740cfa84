import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createDatabase, type Database } from './database.ts'
import { messagesTo, packetsOf } from './packets.ts'
import { type Asked, askedOf } from './requests.ts'
import { createSession } from './session.ts'

/** What came over the wire, in order; connections are numbered from 1. */
export type Sent = Asked & { readonly connection: number }

/** A stand-in that speaks TDS, as clients of SQL Server do, and answers from SQLite. It is no SQL Server. */
export interface StandIn {
  /** The URL of a database of that name, which is empty at first. */
  readonly urlOf: (database: string) => string
  /** All that it was sent, as it goes on. */
  readonly sent: readonly Sent[]
  /** What it could not answer, each of which broke off a connection. */
  readonly faults: readonly unknown[]
  readonly stop: () => Promise<void>
}

/** Starts it on a free port of this machine. */
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
    // A client that is killed: what it had begun ends with it.
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
