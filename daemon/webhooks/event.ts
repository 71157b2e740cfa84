import type { IncomingHttpHeaders } from 'node:http'
import type { Redacted } from '../ports.ts'

export type HostName = 'github' | 'gitlab' | 'gitea' | 'gogs'

/** Signature check and payload parser of one git host. */
export interface WebhookHost {
  /** Returns true if the delivery has a signature header, valid or not. */
  isSigned(headers: IncomingHttpHeaders): boolean
  /** Returns true if the signature matches the raw bytes under the secret. Constant time. */
  verify(rawBody: Buffer, headers: IncomingHttpHeaders, secret: Redacted): boolean
  /** Parses a verified delivery. Throws DaemonError `bad-request` if a required field is missing. */
  parse(headers: IncomingHttpHeaders, rawBody: Buffer): WebhookEvent
}

export type WebhookEvent = Push | Renamed | { readonly kind: 'ignored'; readonly why: string }

export interface Push {
  readonly kind: 'push'
  /** Normalized keys of the repository's URLs, without duplicates. */
  readonly remoteKeys: readonly string[]
  readonly branch: string
  readonly isDeleted: boolean
  /** Delivery id, unique per delivery; a redelivery has the same id. */
  readonly deliveryId: string | null
  /** Login name of the person who pushed: printable, at most 64 characters. Null if the payload has none. */
  readonly pusher: string | null
}

/** A repository with a new name or a new owner. */
export interface Renamed {
  readonly kind: 'renamed'
  readonly fromKey: string
  readonly toKey: string
  /** The new `owner/name`, in the host's upper and lower case. */
  readonly path: string
}
