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
  /** Maximum rate of reading the output of all apps that write faster than it is read. */
  readonly allFloodsBytesPerSecond: number
  /** Maximum rate at which an app may write. Above this, the app is held for moments. */
  readonly writtenPerSecond: number
  /** Maximum rate at which all apps that write faster than their output is read may write. */
  readonly allFloodsWrittenPerSecond: number
  /** Size of the pieces in which the disk space of read output is freed. */
  readonly reclaimBytes: number
}

export const defaultLimits: LogLimits = {
  maxBytes: 10 * 2 ** 20,
  segmentBytes: 2 ** 20,
  lineBytes: 16_384,
  backlogBytes: 4 * 2 ** 20,
  bytesPerSecond: 4 * 2 ** 20,
  allFloodsBytesPerSecond: 8 * 2 ** 20,
  writtenPerSecond: 16 * 2 ** 20,
  allFloodsWrittenPerSecond: 32 * 2 ** 20,
  reclaimBytes: 4 * 2 ** 20,
}
