import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { webProcess } from '../domain/process-names.ts'
import type { RecognizedApp } from '../domain/recognized-app.ts'
import type { LaunchSchedule } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import type { BuildPlan } from '../ports.ts'
import { readMigrations } from './migrations.ts'
import { readAppFiles } from './recognize/app-files.ts'
import { recognize } from './recognize/recognize.ts'
import { siteStart } from './site/site-start.ts'
import { type DeploySection, readDeploySection } from './strata-json-deploy.ts'

export interface PlanDefaults {
  readonly memoryMb: number
  readonly pids: number
  readonly keepReleases: number
  readonly healthTimeoutMs: number
  /** The runtime that runs the app. Only `docker` builds a Dockerfile. */
  readonly runtime: 'process' | 'docker'
}

/**
 * Plans the build of a checkout from its `deploy` section and the conventions of the recognized app. Throws DaemonError
 * `unprocessable` with the invalid or missing part.
 */
export async function planOf(checkout: string, defaults: PlanDefaults): Promise<BuildPlan> {
  const section = await readDeploySection(checkout)
  const folder = await appFolder(checkout, section.root)
  const files = await readAppFiles(await realpath(checkout), folder)
  const migrations = await readMigrations(folder)
  const { app, install, build, start, env, processes } = recognize(files, {
    section,
    runtime: defaults.runtime,
    hostNode: process.versions.node,
  })
  refuseSameNames(processes, section.cron ?? [])
  return {
    app,
    install,
    build,
    launch: {
      root: section.root ?? '',
      start: start?.argv ?? (app.site && defaults.runtime === 'process' ? siteStart(app.site) : []),
      ...(start?.hasVariables && { startHasVariables: true }),
      health: section.health ?? null,
      healthTimeoutMs: section.health_timeout ?? defaults.healthTimeoutMs,
      port: section.port ?? null,
      memoryMb: section.memory_mb ?? defaults.memoryMb,
      cpus: section.cpus ?? null,
      pids: section.pids ?? defaults.pids,
      env: {
        ...npmVariables(files.manifest?.all),
        ...pythonVariables(app),
        ...env,
        ...section.env,
      },
      ...(section.generate?.length && { generate: section.generate }),
      ...(section.read_only && { readOnly: true }),
      ...(section.store && { store: section.store }),
      ...(migrations && { migrations }),
      keepReleases: section.keep_releases ?? defaults.keepReleases,
      ...(processes.length > 0 && { processes }),
      ...(section.cron?.length && { schedules: schedulesOf(section.cron) }),
    },
  }
}

/** Returns the folder of the app. Throws DaemonError `unprocessable` if it is not a folder inside the checkout. */
export async function appFolder(checkout: string, root: DeploySection['root']): Promise<string> {
  const base = await realpath(checkout)
  const full = await realpath(join(base, root ?? '')).catch(() => undefined)
  const isInside = full === base || full?.startsWith(`${base}${sep}`)
  if (full === undefined || !isInside || !(await stat(full)).isDirectory()) {
    throw new DaemonError(
      'unprocessable',
      `strata.json: deploy.root is not a folder of the repository: ${root}`,
    )
  }
  return full
}

/** Returns the variables that a Python app needs: its output is not buffered, and modules in `src` are found. */
function pythonVariables(app: RecognizedApp): Record<string, string> {
  if (app.kind !== 'python') return {}
  return { PYTHONUNBUFFERED: '1', ...(app.hasSourceFolder && { PYTHONPATH: 'src' }) }
}

/** Returns the variables that `npm start` sets and that apps may read. */
function npmVariables(
  manifest: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> {
  const { name, version } = manifest ?? {}
  return {
    ...(typeof name === 'string' ? { npm_package_name: name } : {}),
    ...(typeof version === 'string' ? { npm_package_version: version } : {}),
  }
}

function schedulesOf(cron: NonNullable<DeploySection['cron']>): readonly LaunchSchedule[] {
  return cron.map(({ name, schedule, command, timezone, timeout, previews }) => ({
    ...{ name, schedule, timezone, timeoutMs: timeout, start: command.argv },
    ...(command.hasVariables && { startHasVariables: true }),
    ...(Object.keys(command.env).length > 0 && { env: command.env }),
    ...(previews && { hasPreviews: true }),
  }))
}

/** A log is found by the name of its process or its schedule. */
function refuseSameNames(
  processes: readonly { readonly name: string }[],
  cron: readonly { readonly name: string }[],
): void {
  const name = cron.find((each) => processes.some((process) => process.name === each.name))?.name
  if (name === undefined && !cron.some((each) => each.name === webProcess)) return
  throw new DaemonError(
    'unprocessable',
    `strata.json: deploy.cron has the name of a process, ${name ?? webProcess}: rename the schedule`,
  )
}
