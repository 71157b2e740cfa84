import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { durationText } from '../../domain/duration.ts'
import type { BackupHealth, EngineCheck, HostProbe, Store, Wall } from '../../ports.ts'
import type { AppConfig, ProxyPorts } from '../ground/deps.ts'
import { type DiskReserve, type DiskRoom, shortageText } from '../ground/disk-reserve.ts'
import type { InfraStatus, UseCases } from '../ground/use-cases.ts'
import { checkProxy, startProxy } from './proxy-status.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** Advice to the operator. */
  readonly next?: string
}

/** Minimum free disk space: below this, builds start to fail. */
const minDiskBytes = 2 * 2 ** 30

/** Use cases of the installation's health: its checks, and the repair of folders, local node and routes. */
export function createInfra(deps: {
  config: AppConfig
  hostProbe: HostProbe
  engineCheck?: () => Promise<EngineCheck>
  walls: () => readonly Wall[]
  diskReserve: Pick<DiskReserve, 'read'>
  store: Pick<Store, 'trash' | 'projects'>
  backupHealth: () => BackupHealth | undefined
  /** Absent: the daemon knows of no proxy. */
  proxy?: ProxyPorts
  ensureLocal: () => Promise<void>
  /** Resends all routes to the gateway. */
  replaceRoutes: () => Promise<void>
}): UseCases['infra'] {
  const { config, hostProbe, store } = deps

  async function status(): Promise<InfraStatus> {
    const [gitVersion, isServing, isWritable, room, trash, haveOwnSecret] = await Promise.all([
      hostProbe.gitVersion(),
      hostProbe.isServing(config.gatewayPort),
      hostProbe.isWritable(config.dataDir),
      deps.diskReserve.read(),
      store.trash.usage(),
      store.projects.haveWebhookSecret(),
    ])
    const engine = await deps.engineCheck?.()
    const walls = deps.walls()
    const checks = [
      checkGit(gitVersion),
      checkNode(config.version),
      checkGateway(config.gatewayPort, isServing),
      ...(deps.proxy ? [await checkProxy(deps.proxy, config.gatewayPort)] : []),
      ...(engine ? [{ name: 'engine', ...engine }] : []),
      checkDataFolder(config.dataDir, isWritable),
      checkDisk(room),
      describeTrash(trash, config.trashKeepMs),
      checkBackups(deps.backupHealth()),
      checkBaseDomain(config.baseDomain),
      checkWebhookSecret(config.hasWebhookSecret, haveOwnSecret),
      checkTls(config),
    ]
    return {
      checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
      nextSteps: [
        ...checks.flatMap(({ next }) => (next === undefined ? [] : [next])),
        ...stepsFor(walls.filter(({ stands }) => !stands)),
      ],
      walls: walls.map(({ name, stands, detail }) => ({ name, stands, detail })),
    }
  }

  return {
    status,
    async bootstrap(actor) {
      await mkdir(join(config.dataDir, 'releases'), { recursive: true })
      await mkdir(join(config.dataDir, 'volumes'), { recursive: true })
      await deps.ensureLocal()
      await deps.replaceRoutes()
      const step = deps.proxy && (await startProxy(deps.proxy, actor))
      const { nextSteps, ...rest } = await status()
      return { ...rest, nextSteps: step === undefined ? nextSteps : [...nextSteps, step] }
    },
  }
}

/** Returns the advice of each missing wall, or else its reason. Walls with one reason have one step. */
function stepsFor(missing: readonly Wall[]): string[] {
  const others = missing.filter(({ next }) => next === undefined)
  const reasons = [...new Set(others.map(({ detail }) => detail))].map((reason) => {
    const names = others.filter(({ detail }) => detail === reason).map(({ name }) => name)
    return `these walls between projects do not stand: ${names.join(', ')} (${reason})`
  })
  return [...new Set([...reasons, ...missing.flatMap(({ next }) => next ?? [])])]
}

function checkGit(version: string | undefined): Check {
  if (version !== undefined) return { name: 'git', ok: true, detail: version }
  return {
    name: 'git',
    ok: false,
    detail: 'the git program does not run',
    next: 'install git 2.30 or later on the daemon host',
  }
}

function checkNode(version: string): Check {
  return { name: 'node', ok: true, detail: `stratad ${version} on node ${process.versions.node}` }
}

function checkGateway(port: number, ok: boolean): Check {
  const detail = ok ? `the gateway responds on port ${port}` : `nothing responds on port ${port}`
  const next = `start the gateway: nothing serves apps on port ${port} (SERVICE_GATEWAY_ADDR)`
  return { name: 'gateway', ok, detail, ...(!ok && { next }) }
}

function checkDataFolder(folder: string, ok: boolean): Check {
  const name = 'data folder'
  if (ok) return { name, ok, detail: `${folder} is writable` }
  const next = `let the daemon's user write ${folder}, or set SERVICE_DATA_DIR to another folder`
  return { name, ok, detail: `${folder} is not writable`, next }
}

function checkDisk(room: DiskRoom | undefined): Check {
  const name = 'disk'
  if (room === undefined) return { name, ok: false, detail: 'free disk space is unknown' }
  const { freeBytes, reserveBytes } = room
  if (freeBytes < reserveBytes) {
    const next = 'free disk space: deploys wait until more than SERVICE_DISK_RESERVE_MB is free'
    return { name, ok: false, detail: `deploys wait: ${shortageText(room)}`, next }
  }
  const detail = `${(freeBytes / 2 ** 30).toFixed(1)} GiB free`
  if (freeBytes >= minDiskBytes) return { name, ok: true, detail }
  return { name, ok: false, detail, next: 'free disk space: builds need 2 GiB or more' }
}

function describeTrash(usage: { entries: number; bytes: number }, keepMs: number): Check {
  const { entries, bytes } = usage
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB in ${entries} entries`
  const detail = `${size}; the data of destroyed branches is kept for ${durationText(keepMs)}`
  return { name: 'trash', ok: true, detail }
}

function checkBackups(health: BackupHealth | undefined): Check {
  const name = 'backups'
  if (!health) {
    return {
      name,
      ok: true,
      detail: 'no backups are scheduled: SERVICE_BACKUP_INTERVAL is not set',
    }
  }
  const { newestAt, fault, skipped } = health
  const newest = newestAt === null ? 'none yet' : new Date(newestAt).toISOString()
  if (fault !== null) {
    const next = 'repair the scheduled backups: the log of the daemon has the fault'
    return {
      name,
      ok: false,
      detail: `the last try failed: ${fault}; newest backup: ${newest}`,
      next,
    }
  }
  if (skipped > 0) {
    const next = `read manifest.json of the newest backup: it lists the ${skipped} missing entries`
    return { name, ok: false, detail: `the backup of ${newest} lacks ${skipped} entries`, next }
  }
  return { name, ok: true, detail: `newest scheduled backup: ${newest}` }
}

function checkBaseDomain(domain: string): Check {
  const name = 'base domain'
  if (domain !== 'localhost') return { name, ok: true, detail: `apps are at *.${domain}` }
  return {
    name,
    ok: true,
    detail: 'apps are at *.localhost, on this machine only',
    next: 'for access from other machines, set SERVICE_BASE_DOMAIN to a domain with a wildcard DNS record for this host',
  }
}

function checkWebhookSecret(isSet: boolean, haveOwnSecret: boolean): Check {
  const name = 'webhook secret'
  if (!isSet && haveOwnSecret) {
    return {
      name,
      ok: true,
      detail: 'projects have their own webhook secrets, the daemon has none',
    }
  }
  if (isSet) return { name, ok: true, detail: 'the webhook secret is set' }
  const next =
    'run strata webhook create in a project, or set SERVICE_WEBHOOK_SECRET, and enter the secret in the webhooks of your git host'
  return { name, ok: false, detail: 'pushes do not deploy: no webhook secret is set', next }
}

function checkTls({ hasTls, baseDomain }: AppConfig): Check {
  if (hasTls) return { name: 'tls', ok: true, detail: 'the API uses TLS' }
  if (baseDomain === 'localhost') {
    return { name: 'tls', ok: true, detail: 'TLS is not needed on localhost' }
  }
  const next =
    'set SERVICE_TLS_CERT and SERVICE_TLS_KEY, or put a proxy with a wildcard certificate in front'
  return { name: 'tls', ok: false, detail: 'the API uses plain HTTP', next }
}
