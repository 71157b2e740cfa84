import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Vitest's global set-up: builds the command line that the tests of this folder run, unless what is built is
 * newer than all it is built from. Throws where the build fails.
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
  // Made by the build itself, or not part of it.
  const isSource = (path: string) => !/precompiled\.js$|\.test\.ts$/.test(path)
  return [join(root, 'package.json'), ...files.filter(isSource)].filter((path) =>
    statSync(path).isFile(),
  )
}

function changedMs(path: string): number {
  return statSync(path).mtimeMs
}
