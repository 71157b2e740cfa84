import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { codeOf, contextsPath } from '../contexts.ts'
import { sizeOf } from '../terminal/times.ts'
import { type Check, fail, isAtLeast, ok, warn } from './check.ts'

export function checkNode(version: string): Check {
  return isAtLeast(version, [20, 19])
    ? ok('node', version)
    : fail('node', `${version} is too old`, 'install Node 20.19 or later: https://nodejs.org')
}

/** git and npm: what a deploy runs. */
export async function checkProgram(
  name: 'git' | 'npm',
  least: readonly [number, number],
): Promise<Check> {
  const said = await new Promise<string | undefined>((resolve) => {
    execFile(name, ['--version'], { timeout: 15_000 }, (error, out) =>
      resolve(error ? undefined : out.trim()),
    )
  })
  const needed = `${name} ${least.join('.')} or later`
  if (said === undefined) return fail(name, 'it is not on the PATH', `install ${needed}`)
  return isAtLeast(said, least) ? ok(name, said) : warn(name, `${said} is old`, `install ${needed}`)
}

const plentyBytes = 2 * 2 ** 30
const leastBytes = 256 * 2 ** 20

/** `folder` may be still to come: then what counts is where it would be. */
export async function checkDisk(folder: string): Promise<Check> {
  const there = existing(folder)
  const stats = await statfs(there).catch(() => undefined)
  if (!stats) return warn('disk', `${there} can't be looked at`, `look at it: df -h ${there}`)
  const free = stats.bavail * stats.bsize
  const detail = `${sizeOf(free)} free for ${folder}`
  const next = 'make room, or choose another disk: strata daemon start --data-dir <folder>'
  if (free < leastBytes) return fail('disk', detail, next)
  return free < plentyBytes
    ? warn('disk', `${detail}: builds need 2 GiB`, next)
    : ok('disk', detail)
}

function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder))
}

/** A port that a daemon here would take. */
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
  const what = code === 'EADDRINUSE' ? 'is in use by another program' : `can't be used (${code})`
  return fail(name, `${port} ${what}`, `strata daemon start ${flag} ${port + 1}`)
}

/** Tokens are in it. */
export function checkContextsFile(path = contextsPath()): Check {
  const name = 'contexts'
  if (!existsSync(path)) return ok(name, 'none yet')
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) === 0) return ok(name, path)
  return warn(name, `${path} can be read by others (${mode.toString(8)})`, `chmod 600 ${path}`)
}
