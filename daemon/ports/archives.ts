export interface Archive {
  readonly fileName: string
  readonly body: NodeJS.ReadableStream
  /** Returns the number of entries that are missing in the backup. Final when `body` has ended. */
  readonly skipped: () => number
}

/** State of the scheduled backups. */
export interface BackupHealth {
  /** Time of the newest backup; null if there is none. */
  readonly newestAt: number | null
  /** Number of entries that are missing in the newest backup of this daemon. */
  readonly skipped: number
  /** Fault of the last try; null if it succeeded. */
  readonly fault: string | null
}

/** Backups of the daemon's state and the data of apps. The next start applies a staged backup. */
export interface Archives {
  /**
   * Streams a tar of database snapshot, key and manifest, and the data of apps if `withData`. Removes its temporary files
   * when `body` ends or fails. Throws `unavailable` if the disk is too small.
   */
  create(options: { withData: boolean }): Promise<Archive>
  /**
   * Validates a tar and stages it for the next start. `announcedBytes` is the size that the sender announces; 0 if
   * unknown. Throws `too-large`, `unavailable` if the disk is too small, or `unprocessable` with the fault.
   */
  stage(
    body: NodeJS.ReadableStream,
    announcedBytes: number,
  ): Promise<{ createdAt: number; hasData: boolean }>
}
