import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { DaemonError } from './errors.ts'
import type { Logger } from './ports.ts'

/**
 * Creates the data folder with mode 0700. Removes other users' access to an existing one, unless the folder is shared
 * with other programs: then it only warns. Throws DaemonError if the folder can't be created.
 */
export function prepareDataFolder(path: string, logger: Pick<Logger, 'warn'>): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(path)
    const permissions = mode & 0o777
    if ((permissions & 0o077) === 0) return
    const fields = { dataDir: path, mode: permissions.toString(8).padStart(4, '0') }
    if (uid === process.geteuid?.() && readdirSync(path).every(isOwnEntry)) {
      chmodSync(path, 0o700)
      logger.warn(fields, 'the data folder was open to other users: its mode is now 0700')
    } else {
      const advice = 'run chmod 700, or set SERVICE_DATA_DIR to a folder for stratad alone'
      logger.warn(fields, `the data folder is open to other users and has other files: ${advice}`)
    }
  } catch (error) {
    throw new DaemonError(
      'internal',
      `can't create the data folder ${path}: set SERVICE_DATA_DIR to a writable folder`,
      { cause: error },
    )
  }
}

/** Names that the daemon or `strata daemon` creates. A folder with other names, such as /var/lib, must keep its mode. */
function isOwnEntry(name: string): boolean {
  return /^(\.?(strata|stratad|daemon|master|api-token|webhook-secret|config\.env|settings|git|cache|logs|runtime|gateway|backups|restore|replaced|releases|volumes|trash|tmp)([-.].*)?|lost\+found)$/.test(
    name,
  )
}
