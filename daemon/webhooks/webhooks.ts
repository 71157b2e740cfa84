import type { IncomingHttpHeaders } from 'node:http'
import type { Redacted } from '../ports.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { gogs } from './gogs.ts'

export type HostName = 'github' | 'gitlab' | 'gitea' | 'gogs'

/** How one git host signs and words its deliveries. */
export interface WebhookHost {
  /** Whether the delivery carries a signature at all. */
  isSigned(headers: IncomingHttpHeaders): boolean
  /** Whether the signature is that of the raw bytes under the secret; in constant time. */
  verify(rawBody: Buffer, headers: IncomingHttpHeaders, secret: Redacted): boolean
  /** What a verified delivery says. Throws DaemonError `bad-request` for a payload of another shape. */
  parse(headers: IncomingHttpHeaders, rawBody: Buffer): WebhookEvent
}

export type WebhookEvent = Push | Renamed | { readonly kind: 'ignored'; readonly why: string }

export interface Push {
  readonly kind: 'push'
  /** The repository by each of its URLs, normalized, without repeats. */
  readonly remoteKeys: readonly string[]
  readonly branch: string
  readonly isDeleted: boolean
  /** The same for a delivery that is sent again, and for no other. */
  readonly deliveryId: string | null
}

/** A repository that is called something else from now on, or has another owner. */
export interface Renamed {
  readonly kind: 'renamed'
  readonly fromKey: string
  readonly toKey: string
  /** Its path at its host, as `owner/name`, in the case its host has it. */
  readonly path: string
}

export const webhookHosts: Readonly<Record<HostName, WebhookHost>> = {
  github,
  gitlab,
  gitea,
  gogs,
}
