import { connect } from 'node:net'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { givenServer } from './given-server.ts'
import { installCommand } from './installed.ts'
import { runServer } from './own-server.ts'
import { hasSetpriv, isRoot, runToEnd } from './program.ts'
import type { Skipped, TestServer } from './test-server.ts'

/** Starts MariaDB, for the kind `mysql`. The URL has the user `root` without a password and an empty database. */
export async function startMysql(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_MYSQL_URL', 'MySQL or MariaDB', askVersion)
  if (given) return given
  const server = findProgram('mariadbd', ['/usr/sbin'])
  const install = findProgram('mariadb-install-db')
  if (server === undefined || install === undefined) {
    return { skipped: `MariaDB is not installed: ${installCommand('mysql')}` }
  }
  if (isRoot() && !hasSetpriv) return { skipped: 'MariaDB does not run as root' }
  return runServer({
    name: 'MariaDB',
    prepare: (folder) =>
      runToEnd({
        program: install,
        args: [
          ...['--no-defaults', `--datadir=${join(folder, 'data')}`, `--tmpdir=${folder}`],
          ...['--auth-root-authentication-method=normal', '--skip-name-resolve'],
        ],
        isForNobody: true,
      }),
    command: (folder, port) => ({
      program: server,
      args: settings(folder, port),
      isForNobody: true,
    }),
    url: (port) => `mysql://root@127.0.0.1:${port}/test`,
    ask: askVersion,
    stopSignal: 'SIGTERM',
  })
}

function settings(folder: string, port: number): readonly string[] {
  return [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    `--socket=${join(folder, 'mysql.sock')}`,
    `--pid-file=${join(folder, 'mysql.pid')}`,
    `--tmpdir=${folder}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    '--skip-ssl',
    '--character-set-server=utf8mb4',
    '--lower-case-table-names=0',
    '--max-connections=200',
    // Writes survive a kill of the server, but not a power failure.
    '--innodb-flush-log-at-trx-commit=2',
    '--innodb-log-file-size=32M',
    '--innodb-buffer-pool-size=64M',
  ]
}

/** Reads the version from the greeting of the server: from the sixth byte to the next zero. */
function askVersion(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 3306), timeout: 1_000 })
    const end = (version?: string) => {
      socket.destroy()
      resolve(version)
    }
    socket.once('data', (greeting) => {
      const isProtocol10 = greeting[4] === 10
      const version = greeting.subarray(5, greeting.indexOf(0, 5)).toString('latin1')
      // MariaDB prefixes its version with 5.5.5- for old replicas.
      end(isProtocol10 ? version.replace(/^5\.5\.5-/, '') : undefined)
    })
    socket.once('timeout', () => end())
    socket.once('error', () => end())
    socket.once('close', () => end())
  })
}
