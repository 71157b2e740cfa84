/** Bounds of one environment's log, in bytes. */
export interface LogLimits {
  /** On disk, in segments. */
  readonly maxBytes: number
  readonly segmentBytes: number
  readonly lineBytes: number
  /** Output that waits to be read; past it the older part is skipped, and a line says so. */
  readonly behindBytes: number
  /** What is taken of an app's output in a second, counted with an extra for each line. */
  readonly bytesPerSecond: number
  /** Output that was read is given back to the disk in pieces of this size. */
  readonly reclaimBytes: number
}

export const defaultLimits: LogLimits = {
  maxBytes: 10 * 2 ** 20,
  segmentBytes: 2 ** 20,
  lineBytes: 16_384,
  behindBytes: 4 * 2 ** 20,
  bytesPerSecond: 4 * 2 ** 20,
  reclaimBytes: 4 * 2 ** 20,
}
