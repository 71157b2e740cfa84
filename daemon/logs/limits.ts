/** Limits of one environment's log, in bytes. */
export interface LogLimits {
  /** Total size of the segments on disk. */
  readonly maxBytes: number
  readonly segmentBytes: number
  readonly lineBytes: number
  /** Maximum unread output. If exceeded, the older part is skipped, and a line in the log says so. */
  readonly backlogBytes: number
  /** Maximum rate of reading an app's output. Each line has a fixed extra cost. */
  readonly bytesPerSecond: number
  /** Disk space of output already read is freed in pieces of this size. */
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
