import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'

const run = promisify(execFile)
const buildWithinMs = 100_000

/**
 * Runs `npm run build --if-present` in an application's folder, unless that was done for these very
 * sources. Several test files may ask at once: one builds, the others wait. Throws what npm wrote.
 */
export async function prepareApp(folder: string): Promise<void> {
  const cache = join(folder, 'node_modules', '.conformance')
  const lock = join(cache, 'lock')
  const stamp = join(cache, 'prepared')
  await mkdir(cache, { recursive: true })
  if (!(await eventually(() => canMake(lock), buildWithinMs))) {
    throw new Error(`another build has not ended: remove ${lock}`)
  }
  try {
    const sources = await hashOf(folder)
    if ((await readFile(stamp, 'utf8').catch(() => '')) === sources) return
    await run('npm', ['run', 'build', '--if-present'], { cwd: folder, timeout: buildWithinMs })
    await writeFile(stamp, sources)
  } finally {
    await rmdir(lock)
  }
}

async function canMake(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** What a build makes is left out. */
const made = new Set(['node_modules', 'dist', 'generated'])

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const add = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true })
    for (const entry of entries.sort((one, two) => (one.name < two.name ? -1 : 1))) {
      const path = join(below, entry.name)
      if (made.has(entry.name)) continue
      if (entry.isDirectory()) await add(path)
      else if (entry.isFile()) hash.update(path).update(await readFile(join(folder, path)))
    }
  }
  await add('')
  return hash.digest('hex')
}
