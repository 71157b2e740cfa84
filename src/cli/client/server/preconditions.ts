import { realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { SettingValues } from '../../../../daemon/client/settings.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { runProgram } from './service.ts'

/** Throws ClientError unless root runs the command on Linux. */
export function requireRoot(command: string): void {
  if (process.platform !== 'linux') {
    throw new ClientError(`strata server needs Linux, not ${process.platform}`)
  }
  if (process.geteuid?.() === 0) return
  throw new ClientError('this command changes the system: run it as root', {
    next: [`sudo ${command}`],
  })
}

/** Throws ClientError if a program that deploys run is missing. */
export async function requirePrograms(): Promise<void> {
  const names = ['git', 'npm', 'nsenter', 'setpriv']
  const results = await Promise.all(names.map((name) => runProgram(name, ['--version'], 15_000)))
  const missing = names.filter((_, at) => results[at] === undefined)
  if (missing.length === 0) return
  throw new ClientError(`missing on the PATH: ${missing.join(', ')}`, {
    next: ['apt-get install git npm util-linux nftables'],
  })
}

/** Returns the path of Node.js. Throws ClientError if the users of projects can't run it there. */
export function usableNode(path = process.execPath): string {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) {
      throw new ClientError(
        `Node.js is at ${path}, and ${folder} is closed to other users: builds could not run it`,
        { next: ['install Node.js for all users, for example as the package nodejs'] },
      )
    }
    if (folder === dirname(folder)) return path
  }
}

/** Throws ClientError if another program listens on an address of the settings. */
export async function requireFreePorts(settings: SettingValues): Promise<void> {
  for (const name of ['SERVICE_ADDR', 'SERVICE_GATEWAY_ADDR', 'SERVICE_GATEWAY_TLS_ADDR']) {
    const text = settings[name]
    if (text === undefined) continue
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(text) ?? []
    const fault = await listenFault(host, Number(port))
    if (fault === undefined) continue
    throw new ClientError(`can't listen on ${name} ${text} (${fault})`, {
      next: [
        `ss --listening --tcp --processes 'sport = :${port}'   shows the program that uses the port`,
        'stop that program, or pass another address with --addr or --gateway-addr',
      ],
    })
  }
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', (error) => resolve(codeOf(error)))
    server.listen(port, host === '' ? '::' : host, () => server.close(() => resolve(undefined)))
  })
}
