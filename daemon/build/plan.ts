import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { BuildPlan } from '../ports.ts'
import { readLock, readManifest } from './manifest.ts'
import { localProgram, nodeApp } from './node-app.ts'
import { type DeploySection, readDeploySection } from './strata-json-deploy.ts'
import { workspaceFolder } from './workspace.ts'

export interface PlanDefaults {
  readonly memoryMb: number
  readonly pids: number
  readonly keepReleases: number
  readonly healthTimeoutMs: number
}

/**
 * Plans the build of a checkout from its `deploy` section and npm's conventions. Throws DaemonError `unprocessable`
 * with the invalid or missing part.
 */
export async function planOf(checkout: string, defaults: PlanDefaults): Promise<BuildPlan> {
  const section = await readDeploySection(checkout)
  const name = section.root ?? ''
  const root = await appFolder(checkout, name)
  const [manifest, ownLock, hasServerFile, workspace] = await Promise.all([
    readManifest(root),
    readLock(root),
    isFile(join(root, 'server.js')),
    workspaceFolder(await realpath(checkout), root),
  ])
  const lock = workspace === undefined ? ownLock : await readLock(workspace)
  const app = nodeApp({ manifest, lock, hasServerFile, isWorkspace: workspace !== undefined })
  // A workspace's programs may be in the parent folder, so their paths are unknown here.
  const programs = workspace === undefined ? lock : undefined
  const start = section.start ? (localProgram(section.start, programs) ?? section.start) : app.start
  if (start === undefined) throw nothingToStart(name, manifest !== undefined)
  return {
    install: app.install,
    build:
      section.build === undefined ? app.build : section.build.length > 0 ? section.build : null,
    launch: {
      root: name,
      start,
      health: section.health ?? null,
      healthTimeoutMs: section.health_timeout ?? defaults.healthTimeoutMs,
      port: section.port ?? null,
      memoryMb: section.memory_mb ?? defaults.memoryMb,
      cpus: section.cpus ?? null,
      pids: section.pids ?? defaults.pids,
      env: { ...npmVariables(manifest?.all), ...section.env },
      keepReleases: section.keep_releases ?? defaults.keepReleases,
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

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

function nothingToStart(root: string, hasManifest: boolean): DaemonError {
  const place = root === '' ? '' : `${root}/`
  return new DaemonError(
    'unprocessable',
    hasManifest
      ? `the app has no start command: add a start script to ${place}package.json, or deploy.start to strata.json`
      : `there is no ${place}package.json and no ${place}server.js: add one, or deploy.start to strata.json`,
  )
}
