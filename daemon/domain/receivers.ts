import type { Sealed } from './records.ts'

/** Git hosts that show the status of a commit. */
export const statusHosts = ['github', 'gitlab', 'gitea'] as const
export type StatusHost = (typeof statusHosts)[number]

export const notificationEvents = [
  'deploy.succeeded',
  'deploy.failed',
  'app.crashed',
  'certificate.failed',
  'backup.failed',
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

/** Events of a receiver for which nobody chose any. Backups belong to the server, and its operators read its own. */
export const defaultEvents = {
  project: ['deploy.succeeded', 'deploy.failed', 'app.crashed', 'certificate.failed'],
  server: ['certificate.failed', 'backup.failed'],
} as const satisfies Readonly<Record<string, readonly NotificationEvent[]>>

/** A program that the daemon tells of events: a webhook, or a git host that shows statuses. */
export interface Receiver {
  readonly id: number
  /** `null`: a webhook of the server. */
  readonly projectId: number | null
  readonly kind: 'webhook' | StatusHost
  /** URL of the webhook, or base URL of the git host's API without a trailing slash. */
  readonly url: string
  /** Path of the repository at the git host, such as `acme/shop`; null for a webhook. */
  readonly repository: string | null
  /** Signing key of a webhook, or API token of a git host. */
  readonly secret: Sealed
  /** Empty for a git host. */
  readonly events: readonly NotificationEvent[]
  readonly createdAt: number
  /** Time of the newest accepted message; null before the first. */
  readonly deliveredAt: number | null
  /** Reason for the newest failure; null after a success. */
  readonly fault: string | null
}

/** A message that waits for its delivery to a receiver. */
export interface OutgoingMessage {
  readonly id: number
  readonly receiverId: number
  /** Unique name of the message, the same for each attempt. */
  readonly messageId: string
  /** JSON: the body of a notification, or a CommitStatus. */
  readonly body: string
  /** A newer message of a subject replaces a waiting one: the commit of a status; null for a notification. */
  readonly subject: string | null
  readonly createdAt: number
  readonly attempts: number
  /** Earliest time of the next attempt. */
  readonly notBefore: number
}

/** The text of a URL that logs and audit records may contain: no path, because a path can be a secret. */
export function originOf(url: string): string {
  return new URL(url).origin
}
