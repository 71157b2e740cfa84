import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Copies the built command line to `folder`, without the daemon. Returns the path of the program `strata`. */
export function copyPackage(folder: string): string {
  const isOfDaemon = (path: string) => /^(stratad|dashboard)/.test(basename(path))
  cpSync(join(repository, 'bin'), join(folder, 'bin'), { recursive: true })
  for (const name of readdirSync(join(repository, 'dist')).filter((each) => !isOfDaemon(each))) {
    cpSync(join(repository, 'dist', name), join(folder, 'dist', name))
  }
  cpSync(join(repository, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'bin/strata.js')
}
