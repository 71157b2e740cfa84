import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { contextsPath } from '../connection/contexts.ts'
import { codeOf } from '../errors/error-text.ts'
import { formatBytes } from '../terminal/units.ts'
import { type Check, fail, isAtLeast, ok, warn } from './check.ts'

export function checkNode(version: string): Check {
  return isAtLeast(version, [20, 19])
    ? ok('node', version)
    : fail('node', `${version} is too old`, 'install Node 20.19 or later: https://nodejs.org')
}

/** Checks the version of a program that deploys run. */
export async function checkProgram(
  name: 'git' | 'npm',
  minimum: readonly [number, number],
): Promise<Check> {
  const version = await new Promise<string | undefined>((resolve) => {
    execFile(name, ['--version'], { timeout: 15_000 }, (error, out) =>
      resolve(error ? undefined : out.trim()),
    )
  })
  const needed = `${name} ${minimum.join('.')} or later`
  if (version === undefined) return fail(name, 'not on the PATH', `install ${needed}`)
  return isAtLeast(version, minimum)
    ? ok(name, version)
    : warn(name, `${version} is too old`, `install ${needed}`)
}

const warnBelowBytes = 2 * 2 ** 30
const failBelowBytes = 256 * 2 ** 20

/** Checks the free space of a folder's disk. The folder may be missing: its nearest existing parent counts. */
export async function checkDisk(folder: string): Promise<Check> {
  const parent = nearestExisting(folder)
  const stats = await statfs(parent).catch(() => undefined)
  if (!stats) return warn('disk', `the free space of ${parent} can't be read`, `df -h ${parent}`)
  const free = stats.bavail * stats.bsize
  const detail = `${formatBytes(free)} free for ${folder}`
  const next = 'free some space, or use another disk: strata daemon start --data-dir <folder>'
  if (free < failBelowBytes) return fail('disk', detail, next)
  return free < warnBelowBytes
    ? warn('disk', `${detail}: builds need 2 GiB`, next)
    : ok('disk', detail)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder)
    ? folder
    : nearestExisting(dirname(folder))
}

/** Checks that a port is free; `flag` is the option of `strata daemon start` that changes it. */
export async function checkPort(
  name: string,
  { host, port }: { host: string; port: number },
  flag: string,
): Promise<Check> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(codeOf(error)))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
  if (code === undefined) return ok(name, `${port} is free`)
  const problem = code === 'EADDRINUSE' ? 'is in use by another program' : `can't be used (${code})`
  return fail(name, `${port} ${problem}`, `strata daemon start ${flag} ${port + 1}`)
}

/** Checks that only the owner can read the contexts file, as it contains tokens. */
export function checkContextsFile(path = contextsPath()): Check {
  const name = 'contexts'
  if (!existsSync(path)) return ok(name, 'no contexts yet')
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return ok(name, path)
  return warn(name, `other users can read ${path} (mode ${mode.toString(8)})`, `chmod 600 ${path}`)
}
