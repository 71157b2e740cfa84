import { connect } from 'node:net'
import { givenServer } from './given-server.ts'
import type { Skipped, TestServer } from './test-server.ts'

/** Uses the SQL Server of `TEST_SQLSERVER_URL`: `sqlserver://host:1433;user=…`. */
export async function startSqlserver(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_SQLSERVER_URL', 'SQL Server', askVersion)
  return given ?? { skipped: 'no registry has SQL Server: set TEST_SQLSERVER_URL' }
}

function askVersion(url: string): Promise<string | undefined> {
  const [, host = '127.0.0.1', port = '1433'] = /^sqlserver:\/\/([^:;]+)(?::(\d+))?/.exec(url) ?? []
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 2_000 })
    const end = (version?: string) => {
      socket.destroy()
      resolve(version)
    }
    socket.once('connect', () => end('unknown'))
    for (const event of ['timeout', 'error']) socket.once(event, () => end())
  })
}
