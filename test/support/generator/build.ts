import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Global setup of Vitest: builds the command line for the tests, unless the build is newer than all sources.
 * Throws if the build fails.
 */
export function setup(): void {
  const built = join(root, 'dist/strata.cjs')
  if (existsSync(built) && changedMs(built) > Math.max(...sources().map(changedMs))) return
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
}

function sources(): string[] {
  const folders = ['src', 'daemon', 'templates', 'scripts']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  // Files that the build creates, and files that are not part of the build.
  const isSource = (path: string) => !/precompiled\.js$|\.test\.ts$/.test(path)
  return [join(root, 'package.json'), ...files.filter(isSource)].filter((path) =>
    statSync(path).isFile(),
  )
}

function changedMs(path: string): number {
  return statSync(path).mtimeMs
}
