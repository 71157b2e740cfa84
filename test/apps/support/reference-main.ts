import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createReferenceApp } from './reference-app.ts'
import type { ProcessMutantName } from './reference-process-mutants.ts'
import { createReferenceStore, type Row } from './reference-store.ts'

/** The reference as a process: settings, log, a file of rows, and a graceful stop. */

const is = (name: ProcessMutantName): boolean => process.argv[2] === name
const drainMs = 2000
let isStopping = false

const { port, host, file, level } = settings()
const app = createReferenceApp(openStore(file), is('failure-tells') ? 'stack-leaked' : undefined)
const server = createServer((req, res) => {
  const { method, url, headers } = req
  if (!is('log-own-id')) headers['x-request-id'] ??= randomUUID()
  const own = is('log-own-id') ? randomUUID() : headers['x-request-id']
  const reqId = is('one-request-id') ? 'same' : is('no-request-id') ? undefined : own
  res.on('finish', () => {
    const line = { level: 'info', msg: 'request', reqId, method, url, status: res.statusCode }
    log({ ...line, ...(is('logs-headers') ? { headers } : {}) })
    if (is('two-lines')) log({ level: 'info', msg: 'completed', reqId, url })
  })
  void app(req, res)
})
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

function settings() {
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
  ]
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
  }
}

function openStore(path: string | undefined) {
  const isKept = path !== undefined && existsSync(path) && !is('forgets')
  // Our own file, written below and by nobody else.
  const rows: Row[] = isKept ? JSON.parse(readFileSync(path, 'utf8')) : []
  const started = is('ids-restart')
    ? rows.map((row) => ({ ...row, id: row.id - rows.length }))
    : rows
  const store = createReferenceStore(undefined, started, (all) => {
    if (path === undefined || (is('last-write-lost') && isStopping)) return
    const save = (): void => writeFileSync(path, JSON.stringify(all))
    if (is('saves-late')) setTimeout(save, 3000)
    else save()
  })
  const assertThere = (): void => {
    const isBroken = path !== undefined && existsSync(path) && statSync(path).isDirectory()
    if (isBroken && is('failure-crashes')) process.exit(3)
    if (isBroken) throw new Error(`${path} is no file`)
  }
  return {
    ...store,
    sorted: () => {
      assertThere()
      return store.sorted()
    },
    find: (id: number) => {
      assertThere()
      return store.find(id)
    },
  }
}

function log(line: object): void {
  if (level === 'error' && !is('log-level-ignored')) return
  const time = new Date().toISOString()
  process.stdout.write(
    is('plain-log') ? `${time} ${Object.values(line)}\n` : `${JSON.stringify({ time, ...line })}\n`,
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
    running.close(() => process.exit(is('exits-1') ? 1 : 0))
    if (is('waits-for-ever') || is('idle-holds')) return
    setTimeout(() => running.closeAllConnections(), drainMs).unref()
  })
}
