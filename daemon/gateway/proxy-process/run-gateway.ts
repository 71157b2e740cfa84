import { ftruncateSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { FromGateway, ToGateway } from '../protocol.ts'
import type { GatewaySettings } from '../settings.ts'
import { createAccessLog } from './access-log.ts'
import { createAccessReporter } from './access-reporter.ts'
import { createApps } from './apps.ts'
import { type Certificates, createCertificates } from './certificates.ts'
import { type Challenges, createChallenges } from './challenges.ts'
import { createControl } from './control.ts'
import { createDispatch } from './dispatch.ts'
import { createListener, type Listener } from './listener.ts'
import { retirePredecessor } from './retire-predecessor.ts'
import { createRouteTable } from './routes.ts'
import {
  createSnapshotWriter,
  readCertificates,
  readSnapshot,
  removeTemporaryFiles,
} from './snapshot.ts'
import { createTrafficReporter } from './traffic-reporter.ts'

/**
 * Runs a gateway in this process until it is told to retire. Replaces the previous gateway, loads the routes of the
 * snapshot and accepts daemons on the control socket. Resolves when the gateway serves. Throws if it can't listen.
 */
export async function runGateway(settings: GatewaySettings, settingsText: string): Promise<void> {
  process.umask(0o077)
  const { limits, snapshotPath, socketPath } = settings
  const log = createLog()
  const routes = createRouteTable(() => snapshot.request())
  const snapshot = createSnapshotWriter(snapshotPath, () => ({ routes: routes.list() }), log)
  const apps = createApps(limits)
  const accessReporter = createAccessReporter()
  const accessLog = settings.accessLogPath === null ? null : createAccessLog(settings.accessLogPath)
  const trafficReporter = createTrafficReporter()
  const dispatch = createDispatch({ apps, accessReporter, trafficReporter, accessLog, limits })
  const { holding } = dispatch
  const { trustedProxies } = settings
  const { certificates, stop: stopCertificates } = createKeptCertificates(settings, log)
  const challenges = createChallenges()
  const ports = settings.tls && { plain: settings.address.port, tls: settings.tls.address.port }
  const shared = { routes, dispatch, certificates, challenges, ports, trustedProxies, limits }
  const listeners = [
    { listener: createListener({ ...shared, tls: null }), address: settings.address },
    ...(settings.tls
      ? [
          {
            listener: createListener({ ...shared, tls: settings.tls }),
            address: settings.tls.address,
          },
        ]
      : []),
  ]
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
        const own = routes.set(message.route)
        // The own domains of the environment lead to the same app.
        const others = routes
          .findEnvironment(message.environmentId)
          .filter((entry) => entry !== own)
          .map(({ hostname }) => routes.set({ ...message.route, hostname }))
        const isSameEnvironment = own.environmentId === message.environmentId
        for (const entry of [own, ...others]) {
          if (entry.port === null && isSameEnvironment) holding.handleWakeFailure(entry)
          else holding.handleRouteChange(entry)
        }
        return undefined
      }
      case 'not_woken': {
        routes.findEnvironment(message.environmentId).forEach(holding.handleWakeFailure)
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
      default:
        handleNames(message, { certificates, challenges })
        return { type: 'done', id: message.id }
    }
  }

  function connectDaemon(send: ((message: FromGateway) => void) | null): void {
    holding.connect(
      send && ((environmentId) => send({ type: 'wake', environmentId })),
      routes.entries(),
    )
    trafficReporter.connect(send && ((counts) => send({ type: 'traffic', counts })))
    accessReporter.connect(send && ((id, accesses) => send({ type: 'accesses', id, accesses })))
  }

  let isRetiring = false
  function retire(): void {
    if (isRetiring) return
    isRetiring = true
    snapshot.stop()
    stopCertificates()
    control.retire()
    const ends = listeners.map(({ listener }) => listener.retire(limits.retireMs))
    void Promise.all(ends).then(() => {
      accessLog?.flush()
      process.exit(0)
    })
  }

  process.on('SIGTERM', retire)
  process.on('SIGINT', retire)
  process.on('SIGHUP', () => {})
  // A bug in one request must not end all other requests: possibly no daemon runs that would restart the gateway.
  process.on('uncaughtException', (error) => log(`internal error: ${error.stack}`))

  removeTemporaryFiles(snapshotPath)
  routes.replace(readSnapshot(snapshotPath, log))
  for (const { listener, address } of listeners) await listen(listener, address, socketPath)
  await control.listen(socketPath)
}

type NameMessage = Extract<
  ToGateway,
  {
    type: 'challenge' | 'unchallenge' | 'certificates' | 'remove_certificate' | 'keep_certificates'
  }
>

/** Changes the proofs and certificates of host names. */
function handleNames(
  message: NameMessage,
  { certificates, challenges }: { certificates: Certificates; challenges: Challenges },
): void {
  switch (message.type) {
    case 'challenge':
      challenges.set(message.challenge)
      return
    case 'unchallenge':
      challenges.remove(message.hostname)
      return
    case 'certificates':
      certificates.set(message.certificates)
      return
    case 'remove_certificate':
      certificates.remove(message.hostname)
      return
    case 'keep_certificates':
      certificates.keep(message.hostnames)
  }
}

/** Creates the table of certificates, with its file if the settings name one. */
function createKeptCertificates(
  { tls }: GatewaySettings,
  log: (message: string) => void,
): { certificates: Certificates; stop: () => void } {
  const path = tls?.certificatesPath ?? null
  if (path === null) {
    const kept = tls ? undefined : []
    return {
      certificates: createCertificates({ kept, onChange: () => {}, log }),
      stop: () => {},
    }
  }
  removeTemporaryFiles(path)
  const certificates = createCertificates({
    kept: readCertificates(path, log),
    onChange: () => file.request(),
    log,
  })
  const file = createSnapshotWriter(path, () => ({ certificates: certificates.list() }), log)
  return { certificates, stop: file.stop }
}

/**
 * Retires the previous gateway of this folder and retries while its address is in use. Throws if another program uses
 * the address.
 */
async function listen(
  listener: Listener,
  address: { readonly host: string; readonly port: number },
  socketPath: string,
): Promise<void> {
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
