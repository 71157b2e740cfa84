import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'

const run = promisify(execFile)
const buildWithinMs = 100_000

/**
 * Runs `npm run build --if-present` in an application's folder, unless the folder is just as the
 * last build left it. Several test files may call it at once: one builds, the others wait. Throws
 * an error with the output of npm.
 */
export async function prepareApp(folder: string): Promise<void> {
  const cache = join(folder, 'node_modules', '.conformance')
  const lock = join(cache, 'lock')
  const stamp = join(cache, 'prepared')
  await mkdir(cache, { recursive: true })
  if (!(await eventually(() => canTake(lock), buildWithinMs))) {
    throw new Error(`another build has not ended: remove ${lock}`)
  }
  try {
    if ((await readFile(stamp, 'utf8').catch(() => '')) === (await hashOf(folder))) return
    await run('npm', ['run', 'build', '--if-present'], { cwd: folder, timeout: buildWithinMs })
    await writeFile(stamp, await hashOf(folder))
  } finally {
    await rm(lock)
  }
}

/** The lock file contains a process id, because a killed process leaves its lock behind. */
async function canTake(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true })
  return false
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** ReleaseFolders that a build neither reads nor writes. */
const leftOut = new Set(['node_modules', '.strata', 'data'])

/** Hashes all files including build output, because another process may have built other sources. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const add = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    for (const entry of entries.sort((one, two) => (one.name < two.name ? -1 : 1))) {
      const path = join(below, entry.name)
      if (leftOut.has(entry.name)) continue
      if (entry.isDirectory()) await add(path)
      else if (entry.isFile()) hash.update(path).update(await readFile(join(folder, path)))
    }
  }
  await add('')
  return hash.digest('hex')
}
