import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { givenServer } from './given-server.ts'
import { hasJava, installCommand, installedJars, jarsVersion, javaOptions } from './installed.ts'
import { runServer } from './own-server.ts'
import type { Skipped, TestServer } from './test-server.ts'

const program = fileURLToPath(new URL('mongodb/MongoJavaServer.java', import.meta.url))

/**
 * Uses the MongoDB server of `TEST_MONGODB_URL`, else starts mongo-java-server as a substitute, because no registry
 * has MongoDB. The substitute lacks transactions, sessions, collations, partial indexes and pipeline updates.
 */
export async function startMongodb(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_MONGODB_URL', 'MongoDB', askVersion)
  if (given) return given
  const home = installedJars('mongodb')
  if (home === undefined || !hasJava()) {
    return { skipped: `mongo-java-server is not installed: ${installCommand('mongodb')}` }
  }
  const server = await runServer({
    name: 'mongo-java-server',
    command: (folder, port) => ({
      program: 'java',
      args: [
        ...javaOptions,
        ...['-Xmx256m', '-cp', join(home, 'lib', '*'), program, folder, String(port)],
      ],
    }),
    url: (port) => `mongodb://127.0.0.1:${port}/`,
    ask: askVersion,
    stopSignal: 'SIGTERM',
  })
  // mongo-java-server reports the MongoDB version that it imitates.
  return { ...server, version: jarsVersion('mongodb') }
}

/** Returns the version from `buildInfo` of the first host, which needs no password, or `unknown` if TLS is required. */
function askVersion(url: string): Promise<string | undefined> {
  const [, host = '127.0.0.1', port = '27017'] =
    /^mongodb:\/\/(?:[^@/]*@)?([^:/,?]+)(?::(\d+))?/.exec(url) ?? []
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 2_000 }, () =>
      socket.write(buildInfo()),
    )
    let answer = Buffer.alloc(0)
    let isConnected = false
    const end = () => {
      socket.destroy()
      resolve(isConnected ? (versionIn(answer) ?? 'unknown') : undefined)
    }
    socket.once('connect', () => {
      isConnected = true
    })
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk])
      if (versionIn(answer) !== undefined) end()
    })
    for (const event of ['timeout', 'error', 'close']) socket.once(event, end)
  })
}

/** `{ buildInfo: 1, $db: 'admin' }` as a message of the MongoDB wire protocol. */
function buildInfo(): Buffer {
  const fields = Buffer.from('\x10buildInfo\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0', 'latin1')
  const message = Buffer.alloc(25)
  const opMsg = 2013
  message.writeInt32LE(message.length + fields.length, 0)
  message.writeInt32LE(opMsg, 12)
  message.writeInt32LE(fields.length + 4, 21)
  return Buffer.concat([message, fields])
}

/** Encodes a BSON string element: the type byte 2, the key, the length including the final zero, the text. */
function versionIn(answer: Buffer): string | undefined {
  const name = Buffer.from('\x02version\0', 'latin1')
  const at = answer.indexOf(name)
  const start = at + name.length + 4
  if (at === -1 || answer.length < start) return undefined
  const length = answer.readInt32LE(start - 4)
  const text = answer.subarray(start, start + length - 1)
  return text.length === length - 1 ? text.toString() : undefined
}
