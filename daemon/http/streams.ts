import type { ServerResponse } from 'node:http'
import type { TokenUseCases } from '../app/ground/use-cases.ts'
import { DaemonError } from '../errors.ts'
import type { Principal } from '../ports.ts'

/** The open event streams of all credentials. */
export interface Streams {
  /**
   * Registers a stream. The signal is aborted when the reader disconnects, the credential ends or the server closes. Throws
   * `throttled` if the credential has too many streams.
   */
  open(principal: Principal, res: ServerResponse): AbortSignal
}

const maxPerCredential = 100
const maxStreams = 1_000

export function createStreams({
  tokens,
  closing,
}: {
  tokens: Pick<TokenUseCases, 'awaitEnd'>
  closing: AbortSignal
}): Streams {
  const counts = new Map<string, number>()
  let total = 0

  function add(credential: string, change: 1 | -1): void {
    const count = (counts.get(credential) ?? 0) + change
    if (count === 0) counts.delete(credential)
    else counts.set(credential, count)
    total += change
  }

  return {
    open(principal, res) {
      const credential = principal.kind === 'token' ? `token ${principal.id}` : principal.kind
      if (total >= maxStreams || (counts.get(credential) ?? 0) >= maxPerCredential) {
        throw new DaemonError('throttled', 'too many open streams: close some, then try again', {
          details: { retry_after: 5 },
        })
      }
      const over = new AbortController()
      add(credential, 1)
      res.once('close', () => {
        add(credential, -1)
        over.abort()
      })
      if (principal.kind === 'token') {
        void tokens.awaitEnd(principal, over.signal).then(() => over.abort())
      }
      return AbortSignal.any([over.signal, closing])
    },
  }
}
