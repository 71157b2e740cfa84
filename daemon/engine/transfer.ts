import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DaemonError } from '../errors.ts'

/** Time limit of a transfer that makes no progress. */
const stallMs = 60_000

/**
 * Streams what `open` returns into `send`. Nothing is kept in memory or on the disk. Throws `transient` if the transfer
 * stands still.
 */
export async function transfer(
  what: string,
  open: (signal: AbortSignal) => Promise<Readable>,
  send: (body: Readable, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const stalled = new DaemonError('transient', `the transfer of ${what} stands still`)
  const watch = () => setTimeout(() => stop.abort(stalled), stallMs)
  let timer = watch()
  const watched = new Transform({
    transform(chunk, _encoding, done) {
      clearTimeout(timer)
      timer = watch()
      done(null, chunk)
    },
  })
  const { signal } = stop
  try {
    const read = pipeline(await open(signal), watched, { signal })
    // A source that fails must not leave a truncated body that looks complete.
    const failed = read.catch((error: unknown) => {
      stop.abort(error)
      throw error
    })
    await Promise.all([failed, send(watched, signal)])
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    stop.abort(stalled)
  }
}
