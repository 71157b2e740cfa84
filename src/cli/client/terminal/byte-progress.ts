import { Transform } from 'node:stream'
import { formatBytes } from './units.ts'

interface Screen {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** Minimum time between two updates of the screen, in milliseconds. */
const intervalMs = 200

/**
 * Forwards bytes and shows their number on a terminal, as `downloading 12 MiB` or `uploading 12 MiB of 40 MiB`. Clears the
 * line at the end.
 */
export function byteProgress(
  verb: string,
  { screen = process.stderr, total }: { screen?: Screen; total?: number } = {},
): Transform {
  let bytes = 0
  let shownAt = 0
  const isLive = screen.isTTY === true
  const clear = () => isLive && shownAt > 0 && screen.write('\r\u001b[K')
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      const now = Date.now()
      if (isLive && now - shownAt >= intervalMs) {
        shownAt = now
        const of = total === undefined ? '' : ` of ${formatBytes(total)}`
        screen.write(`\r\u001b[K${verb} ${formatBytes(bytes)}${of}`)
      }
      done(null, chunk)
    },
    flush(done) {
      clear()
      done()
    },
    destroy(error, done) {
      if (error) clear()
      done(error)
    },
  })
}
