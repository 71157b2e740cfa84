import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CoreConfig } from '../ground/deps.ts'
import type { InfraStatus, UseCases } from '../ground/use-cases.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** What to do about it. */
  readonly next?: string
}

/** Below it builds begin to fail for want of disk. */
const leastDiskBytes = 2 * 2 ** 30
const answerMs = 2000

export function createInfra(deps: {
  config: CoreConfig
  ensureLocal: () => Promise<void>
  /** Tells the gateway all routes anew. */
  replaceRoutes: () => Promise<void>
}): UseCases['infra'] {
  const { config } = deps

  async function status(): Promise<InfraStatus> {
    const checks = await Promise.all([
      git(),
      program(config.version),
      gateway(config.gatewayPort),
      dataFolder(config.dataDir),
      disk(config.dataDir),
      baseDomain(config.baseDomain),
      webhookSecret(config.hasWebhookSecret),
      tls(config),
    ])
    return {
      checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
      nextSteps: checks.flatMap(({ next }) => (next === undefined ? [] : [next])),
    }
  }

  return {
    status,
    async bootstrap() {
      await mkdir(join(config.dataDir, 'releases'), { recursive: true })
      await mkdir(join(config.dataDir, 'volumes'), { recursive: true })
      await deps.ensureLocal()
      await deps.replaceRoutes()
      return status()
    },
  }
}

async function git(): Promise<Check> {
  const name = 'git'
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: answerMs })
    return { name, ok: true, detail: stdout.trim() }
  } catch {
    return {
      name,
      ok: false,
      detail: 'the git program does not answer',
      next: 'install git 2.30 or later on the daemon host',
    }
  }
}

async function program(version: string): Promise<Check> {
  return { name: 'node', ok: true, detail: `stratad ${version} on node ${process.versions.node}` }
}

/** Any HTTP answer will do: it knows no such host. */
async function gateway(port: number): Promise<Check> {
  const ok = await new Promise<boolean>((resolve) => {
    const asked = request({ host: '127.0.0.1', port, headers: { host: 'probe.invalid' } })
    asked.setTimeout(answerMs, () => asked.destroy())
    asked.once('response', (answer) => {
      answer.resume()
      resolve(true)
    })
    asked.once('error', () => resolve(false))
    asked.once('close', () => resolve(false))
    asked.end()
  })
  const detail = ok ? `it answers on port ${port}` : `nothing answers on port ${port}`
  const next = `start the gateway: nothing serves apps on port ${port} (SERVICE_GATEWAY_ADDR)`
  return { name: 'gateway', ok, detail, ...(!ok && { next }) }
}

async function dataFolder(folder: string): Promise<Check> {
  const name = 'data folder'
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { name, ok: true, detail: `${folder} can be written` }
  } catch {
    const next = `let the daemon's user write ${folder}, or set SERVICE_DATA_DIR to another folder`
    return { name, ok: false, detail: `${folder} can't be written`, next }
  }
}

async function disk(folder: string): Promise<Check> {
  const name = 'disk'
  const stats = await statfs(folder).catch(() => undefined)
  if (!stats) return { name, ok: false, detail: 'free space is not known' }
  const freeBytes = stats.bavail * stats.bsize
  const detail = `${(freeBytes / 2 ** 30).toFixed(1)} GiB free`
  if (freeBytes >= leastDiskBytes) return { name, ok: true, detail }
  return { name, ok: false, detail, next: 'make room on the disk: builds need 2 GiB or more' }
}

async function baseDomain(domain: string): Promise<Check> {
  const name = 'base domain'
  if (domain !== 'localhost') return { name, ok: true, detail: `apps are at *.${domain}` }
  return {
    name,
    ok: true,
    detail: 'apps are at *.localhost, on this machine only',
    next: 'set SERVICE_BASE_DOMAIN to a domain whose wildcard record leads here, to be reached from other machines',
  }
}

async function webhookSecret(isSet: boolean): Promise<Check> {
  const name = 'webhook secret'
  if (isSet) return { name, ok: true, detail: 'it is set' }
  const next = 'set SERVICE_WEBHOOK_SECRET and give it to the webhooks of your git host'
  return { name, ok: false, detail: 'pushes do not deploy: no secret is set', next }
}

async function tls({ hasTls, baseDomain }: CoreConfig): Promise<Check> {
  const name = 'tls'
  if (hasTls) return { name, ok: true, detail: 'the API answers over TLS' }
  if (baseDomain === 'localhost') return { name, ok: true, detail: 'not needed on this machine' }
  const next =
    'set SERVICE_TLS_CERT and SERVICE_TLS_KEY, or put a proxy with a wildcard certificate in front'
  return { name, ok: false, detail: 'the API answers in plain text', next }
}
