/** Limits of one environment's log, in bytes. */
export interface LogLimits {
  /** Total size of a log's segments on disk. */
  readonly maxBytes: number
  readonly segmentBytes: number
  readonly lineBytes: number
  /** Maximum unread output. Above this, the oldest unread output is skipped, and a line in the log reports the loss. */
  readonly backlogBytes: number
  /** Maximum rate of reading an app's output. Each line has a fixed extra cost. */
  readonly bytesPerSecond: number
  /** Size of the pieces in which the disk space of read output is freed. */
  readonly reclaimBytes: number
}

export const defaultLimits: LogLimits = {
  maxBytes: 10 * 2 ** 20,
  segmentBytes: 2 ** 20,
  lineBytes: 16_384,
  backlogBytes: 4 * 2 ** 20,
  bytesPerSecond: 4 * 2 ** 20,
  reclaimBytes: 4 * 2 ** 20,
}
