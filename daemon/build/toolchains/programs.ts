import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { DaemonError } from '../../errors.ts'

/** How to install a program on the host, as the end of a sentence. */
const advice: Readonly<Record<string, string>> = {
  python3: 'apt-get install python3 python3-venv',
  go: 'apt-get install golang-go, or the archive of go.dev/dl in /usr/local/go with its bin folder on PATH',
  pnpm: 'npm install --global pnpm',
  yarn: 'npm install --global yarn',
}

/**
 * Checks that each program is on PATH. With walls, a project's user must reach it: a program below a home folder has no
 * use. Throws DaemonError `unprocessable` with the missing program and the command that installs it.
 */
export function requirePrograms(
  names: readonly string[],
  { path, isOtherUser }: { path: string; isOtherUser: boolean },
): void {
  for (const name of names) {
    const found = path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .filter(isProgram)
    if (found.some((file) => !isOtherUser || isReachable(file))) continue
    const why =
      found[0] === undefined
        ? `the host has no ${name}`
        : `the user of the project can't reach ${found[0]}`
    throw new DaemonError(
      'unprocessable',
      `${why}: install it (${advice[name] ?? name}), or run the daemon with SERVICE_RUNTIME=docker`,
    )
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Returns whether everybody may search all folders of a path, and of the file behind a symlink, and run the file. */
function isReachable(file: string): boolean {
  const real = realpathSync(file)
  return (statSync(real).mode & 0o001) !== 0 && [file, real].every(hasOpenFolders)
}

function hasOpenFolders(file: string): boolean {
  // Each project has its own folders of temporary files, which hide those of the host.
  if (/^\/(?:var\/)?tmp\//.test(file)) return false
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
