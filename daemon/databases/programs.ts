import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DaemonError } from '../errors.ts'

/** Debian installs the programs of each PostgreSQL version here; `/usr/bin` has only a wrapper that chooses one. */
const postgresRoot = '/usr/lib/postgresql'

/**
 * Returns the absolute path of the first program that is installed: in the newest PostgreSQL of the host, otherwise in
 * `path`. Throws `unprocessable` with the package to install.
 */
export function findProgram(names: readonly string[], path: string, debianPackage: string): string {
  const places = [...postgresFolders(), ...path.split(delimiter)].filter((place) => place !== '')
  for (const name of names) {
    const place = places.find((folder) => existsSync(join(folder, name)))
    if (place !== undefined) return join(place, name)
  }
  throw new DaemonError(
    'unprocessable',
    `copies and dumps need the program ${names[0]}, which is not installed on the daemon's host: install it (Debian: ${debianPackage}), or set deploy.store.data to "empty"`,
  )
}

function postgresFolders(): readonly string[] {
  if (!existsSync(postgresRoot)) return []
  return readdirSync(postgresRoot)
    .filter((name) => /^\d+$/.test(name))
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(postgresRoot, version, 'bin'))
}
