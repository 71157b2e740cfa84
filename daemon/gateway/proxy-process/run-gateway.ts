import { ftruncateSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { FromGateway, ToGateway } from '../protocol.ts'
import type { GatewaySettings } from '../settings.ts'
import { createAccessReporter } from './access-reporter.ts'
import { createApps } from './apps.ts'
import { createControl } from './control.ts'
import { createDispatch } from './dispatch.ts'
import { createListener, type Listener } from './listener.ts'
import { retirePredecessor } from './retire-predecessor.ts'
import { createRouteTable } from './routes.ts'
import { createSnapshotWriter, readSnapshot, removeTemporaryFiles } from './snapshot.ts'

/**
 * Runs a gateway in this process until it is told to retire. Replaces the previous gateway, loads the routes of the
 * snapshot and accepts daemons on the control socket. Resolves when the gateway serves. Throws if it can't listen.
 */
export async function runGateway(settings: GatewaySettings, settingsText: string): Promise<void> {
  process.umask(0o077)
  const { limits, snapshotPath, socketPath } = settings
  const log = createLog()
  const routes = createRouteTable(() => snapshot.request())
  const snapshot = createSnapshotWriter(snapshotPath, routes.list, log)
  const apps = createApps(limits)
  const accessReporter = createAccessReporter()
  const dispatch = createDispatch({ apps, accessReporter, limits })
  const { holding } = dispatch
  const { trustedProxies } = settings
  const listener = createListener({ routes, dispatch, trustedProxies, limits })
  const hello: FromGateway = { type: 'hello', pid: process.pid, settings: settingsText }
  const control = createControl({ hello, handle, onDaemonChange: connectDaemon, log })

  function handle(message: ToGateway): FromGateway | undefined | Promise<FromGateway> {
    switch (message.type) {
      case 'route':
        holding.handleRouteChange(routes.set(message.route))
        return { type: 'done', id: message.id }
      case 'unroute': {
        const removed = routes.remove(message.hostname)
        if (removed) holding.handleRouteChange(removed)
        return { type: 'done', id: message.id }
      }
      case 'replace': {
        const { set, removed } = routes.replace(message.routes)
        removed.forEach(holding.handleRouteChange)
        set.forEach(holding.handleRouteChange)
        return { type: 'done', id: message.id }
      }
      case 'drained':
        return apps
          .drained(message, message.timeoutMs)
          .then(() => ({ type: 'done', id: message.id }))
      case 'woken': {
        const entry = routes.set(message.route)
        const isSameEnvironment = entry.environmentId === message.environmentId
        if (entry.port === null && isSameEnvironment) holding.handleWakeFailure(entry)
        else holding.handleRouteChange(entry)
        return undefined
      }
      case 'not_woken': {
        const entry = routes.findEnvironment(message.environmentId)
        if (entry) holding.handleWakeFailure(entry)
        return undefined
      }
      case 'accesses_taken':
        accessReporter.confirm(message.id)
        return undefined
      case 'ping':
        return { type: 'done', id: message.id }
      case 'retire':
        retire()
        return { type: 'retired' }
      case 'serve':
        return undefined
    }
  }

  function connectDaemon(send: ((message: FromGateway) => void) | null): void {
    holding.connect(
      send && ((environmentId) => send({ type: 'wake', environmentId })),
      routes.entries(),
    )
    accessReporter.connect(send && ((id, accesses) => send({ type: 'accesses', id, accesses })))
  }

  let isRetiring = false
  function retire(): void {
    if (isRetiring) return
    isRetiring = true
    snapshot.stop()
    control.retire()
    void listener.retire(limits.retireMs).then(() => process.exit(0))
  }

  process.on('SIGTERM', retire)
  process.on('SIGINT', retire)
  process.on('SIGHUP', () => {})
  // A bug in one request must not end all other requests: possibly no daemon runs that would restart the gateway.
  process.on('uncaughtException', (error) => log(`internal error: ${error.stack}`))

  removeTemporaryFiles(snapshotPath)
  routes.replace(readSnapshot(snapshotPath, log))
  await listen(listener, settings)
  await control.listen(socketPath)
}

/**
 * Retires the previous gateway of this folder and retries while its address is in use. Throws if another program uses
 * the address.
 */
async function listen(listener: Listener, { address, socketPath }: GatewaySettings): Promise<void> {
  const tries = 20
  for (let attempt = 1; ; attempt += 1) {
    await retirePredecessor(socketPath, 2_000)
    try {
      return await listener.listen(address)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      if (code !== 'EADDRINUSE' || attempt === tries) {
        const where = `${address.host}:${address.port}`
        const reason = code === 'EADDRINUSE' ? 'another program listens there' : String(code)
        throw new Error(`the gateway can't listen on ${where}: ${reason}`)
      }
      await wait(25)
    }
  }
}

/** Logs to standard error, a file opened by the daemon. Truncates the file at 1 MiB. */
function createLog(): (message: string) => void {
  const maxBytes = 1024 * 1024
  let written = 0
  return (message) => {
    const line = `${new Date().toISOString()} ${message.slice(0, 4_000)}\n`
    try {
      if (written > maxBytes) {
        ftruncateSync(2, 0)
        written = 0
      }
      written += writeSync(2, line)
    } catch {
      // A full disk must not stop the gateway.
    }
  }
}
