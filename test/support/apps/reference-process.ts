import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { ProcessMutantName } from './reference-process-mutants.ts'
import { readServiceSettings, type ServiceSettings, withService } from './reference-service.ts'

type Is = (name: ProcessMutantName) => boolean

const drainMs = 2000
const idleMs = 1000

export interface ReferenceSettings {
  readonly port: number
  readonly host: string
  readonly level: string
  /** File of the rows; undefined keeps them in memory. */
  readonly file: string | undefined
  readonly service: ServiceSettings
}

/** Parses the settings of a reference; exits the process if one of them or of `others` is invalid. */
export function readSettings(is: Is, others: readonly string[] = []): ReferenceSettings {
  const {
    PORT = is('port-3000') ? '3000' : '8080',
    HOST,
    LOG_LEVEL = 'info',
    DATABASE_URL,
  } = process.env
  const isPort = /^\d+$/.test(PORT) && Number(PORT) <= 65_535
  const isFile = DATABASE_URL === undefined || DATABASE_URL.startsWith('file:')
  const faults = [
    ...(isPort || (is('any-port') && PORT !== 'abc') ? [] : [`PORT: not a port: ${PORT}`]),
    ...(['info', 'error'].includes(LOG_LEVEL) ? [] : [`LOG_LEVEL: not a level: ${LOG_LEVEL}`]),
    ...(isFile || is('any-database') ? [] : ['DATABASE_URL: not a file']),
    ...others,
  ]
  const service = readServiceSettings(is, faults)
  if (faults.length > 0) {
    if (is('settings-stack')) throw new Error(faults.join('\n'))
    const shown = is('first-setting-only') ? faults.slice(0, 1) : faults
    if (is('settings-show-values')) shown.push(`in ${JSON.stringify(process.env)}`)
    process.stderr.write(`settings that are not valid:\n${shown.join('\n')}\n`)
    process.exit(is('settings-exit-0') ? 0 : 1)
  }
  return {
    port: isPort ? Number(PORT) : 0,
    host: HOST ?? '127.0.0.1',
    level: LOG_LEVEL,
    file: DATABASE_URL?.replace(/^file:/, ''),
    service,
  }
}

export interface Running {
  /** Whether SIGTERM was received. */
  readonly isStopping: () => boolean
}

/** Runs an application as a process: its log, and a graceful stop. */
export function runReference(
  app: RequestListener,
  { port, host, level, service }: ReferenceSettings,
  is: Is,
): Running {
  let isStopping = false
  const listener = withService(app, service, () => isStopping, is)
  const server = createServer((req, res) => {
    const { method, url, headers } = req
    if (!is('log-own-id')) headers['x-request-id'] ??= randomUUID()
    const own = is('log-own-id') ? randomUUID() : headers['x-request-id']
    const reqId = is('one-request-id') ? 'same' : is('no-request-id') ? undefined : own
    res.on('close', () => {
      const isDone = res.writableFinished || is('aborted-as-answered')
      const status = isDone ? res.statusCode : 499
      const line = { level: 'info', msg: 'request', reqId, method, url, status }
      log({ ...line, ...(is('logs-headers') ? { headers } : {}) })
      if (is('two-lines')) log({ level: 'info', msg: 'completed', reqId, url })
    })
    if (isStopping && !is('closes-unannounced')) res.setHeader('Connection', 'close')
    void listener(req, res)
  })
  server.keepAliveTimeout = is('keep-alive-5-seconds') ? 5_000 : 65_000
  server.listen(port, is('binds-all') ? undefined : host, () => {
    if (is('banner-line')) process.stdout.write('Ready!\n')
    log({ level: 'info', msg: 'listening', port })
  })
  server.on('error', ({ message }) => {
    if (is('taken-port-stack')) throw new Error(message)
    process.stderr.write(`PORT ${port} can not be listened on: ${message}\n`)
    process.exit(1)
  })
  stopOnSigterm(server)
  return { isStopping: () => isStopping }

  function log(line: object): void {
    if (level === 'error' && !is('log-level-ignored')) return
    const time = new Date().toISOString()
    process.stdout.write(
      is('plain-log')
        ? `${time} ${Object.values(line)}\n`
        : `${JSON.stringify({ time, ...line })}\n`,
    )
  }

  function stopOnSigterm(running: Server): void {
    if (is('no-handler')) return
    if (is('idle-holds')) {
      running.closeIdleConnections = () => {}
      running.keepAliveTimeout = 0
    }
    process.on('SIGTERM', () => {
      if (isStopping && is('second-signal')) process.exit(0)
      if (isStopping) return
      isStopping = true
      if (is('ignores-sigterm')) return
      if (is('drops-requests')) process.exit(0)
      // `close` of an HTTP server closes idle connections at once, and resets their next requests.
      NetServer.prototype.close.call(running, () => process.exit(is('exits-1') ? 1 : 0))
      const closeIdle = () => running.closeIdleConnections()
      setTimeout(() => setInterval(closeIdle, 50).unref(), idleMs).unref()
      if (is('waits-for-ever') || is('idle-holds')) return
      setTimeout(() => running.closeAllConnections(), drainMs).unref()
    })
  }
}
