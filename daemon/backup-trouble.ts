import { DaemonError } from './errors.ts'
import type { Logger } from './ports.ts'

/** Reports trouble of scheduled backups to the log and to the receivers of the server's events. */
export interface BackupTrouble {
  failed(error: unknown): void
  written(backup: { readonly fileName: string; readonly skipped: number }): void
}

/** `announce` gets the first of consecutive failures, and each backup that lacks entries. */
export function createBackupTrouble({
  announce,
  logger,
}: {
  announce: (message: string) => Promise<void>
  logger: Pick<Logger, 'warn' | 'error'>
}): BackupTrouble {
  let isFailing = false

  function tell(message: string): void {
    announce(message).catch((err) => logger.error({ err }, 'could not announce a failed backup'))
  }

  return {
    failed(err) {
      logger.error({ err }, 'a scheduled backup failed')
      if (isFailing) return
      isFailing = true
      const reason =
        err instanceof DaemonError ? err.message : 'the log of the daemon has the reason'
      tell(`a scheduled backup failed: ${reason}`)
    },
    written({ fileName, skipped }) {
      isFailing = false
      if (skipped === 0) return
      logger.warn({ fileName, skipped }, 'a scheduled backup lacks entries: see its manifest')
      tell(`the backup ${fileName} lacks ${skipped} entries: see its manifest`)
    },
  }
}
