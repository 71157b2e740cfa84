import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createReferenceApp } from './reference-app.ts'
import type { ProcessMutantName } from './reference-process-mutants.ts'
import { createReferenceStore, type Row } from './reference-store.ts'

/** The reference as a process: settings, log, a file of rows, and a graceful stop. */

const is = (name: ProcessMutantName): boolean => process.argv[2] === name
const drainMs = 2000
let isStopping = false

const { port, host, file } = settings()
const app = createReferenceApp(openStore(file), undefined)
const server = createServer((req, res) => {
  const { method, url, headers } = req
  const reqId = is('one-request-id') ? 'same' : is('no-request-id') ? undefined : randomUUID()
  res.on('finish', () => {
    const line = { level: 'info', msg: 'request', reqId, method, url, status: res.statusCode }
    log({ ...line, ...(is('logs-headers') ? { headers } : {}) })
    if (is('two-lines')) log({ level: 'info', msg: 'completed', reqId, url })
  })
  void app(req, res)
})
server.listen(port, host, () => {
  if (is('banner-line')) process.stdout.write('Ready!\n')
  log({ level: 'info', msg: 'listening', port })
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
  const faults = [
    ...(isPort || (is('any-port') && PORT !== 'abc') ? [] : [`PORT: not a port: ${PORT}`]),
    ...(['debug', 'info'].includes(LOG_LEVEL) ? [] : [`LOG_LEVEL: not a level: ${LOG_LEVEL}`]),
  ]
  if (faults.length > 0) {
    if (is('settings-stack')) throw new Error(faults.join('\n'))
    const shown = is('first-setting-only') ? faults.slice(0, 1) : faults
    process.stderr.write(`settings that are not valid:\n${shown.join('\n')}\n`)
    process.exit(is('settings-exit-0') ? 0 : 1)
  }
  return {
    port: isPort ? Number(PORT) : 0,
    host: HOST ?? '127.0.0.1',
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
  return createReferenceStore(undefined, started, (all) => {
    if (is('last-write-lost') && isStopping) return
    if (path !== undefined) writeFileSync(path, JSON.stringify(all))
  })
}

function log(line: object): void {
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
  process.once('SIGTERM', () => {
    isStopping = true
    if (is('ignores-sigterm')) return
    if (is('drops-requests')) process.exit(0)
    running.close(() => process.exit(is('exits-1') ? 1 : 0))
    if (is('waits-for-ever') || is('idle-holds')) return
    setTimeout(() => running.closeAllConnections(), drainMs).unref()
  })
}
