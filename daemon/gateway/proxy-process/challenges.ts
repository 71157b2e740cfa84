import { createSecureContext, type SecureContext } from 'node:tls'
import type { Challenge } from '../../ports.ts'

/** Pending proofs that host names lead to this gateway. In memory only: the daemon repeats a lost proof. */
export interface Challenges {
  set(challenge: Challenge): void
  remove(hostname: string): void
  /** Returns the answer to `GET path`. */
  answer(hostname: string, path: string): string | undefined
  /** Returns true if a host has a challenge for its TLS handshake. */
  hasTls(): boolean
  contextOf(hostname: string): SecureContext | undefined
}

interface Pending {
  readonly answers: Map<string, string>
  context: SecureContext | undefined
}

/** The daemon proves few names at once. */
const maxHosts = 1_000

export function createChallenges(): Challenges {
  const byHost = new Map<string, Pending>()
  let tlsCount = 0

  function remove(hostname: string): void {
    if (byHost.get(hostname)?.context) tlsCount -= 1
    byHost.delete(hostname)
  }

  return {
    set(challenge) {
      const pending = byHost.get(challenge.hostname) ?? { answers: new Map(), context: undefined }
      byHost.set(challenge.hostname, pending)
      if (challenge.kind === 'http') pending.answers.set(challenge.path, challenge.body)
      else {
        if (!pending.context) tlsCount += 1
        pending.context = createSecureContext({ cert: challenge.cert, key: challenge.key })
      }
      const [oldest] = byHost.keys()
      if (byHost.size > maxHosts && oldest !== undefined) remove(oldest)
    },
    remove,
    answer: (hostname, path) => byHost.get(hostname)?.answers.get(path),
    hasTls: () => tlsCount > 0,
    contextOf: (hostname) => byHost.get(hostname)?.context,
  }
}
