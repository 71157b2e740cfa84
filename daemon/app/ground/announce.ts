import type { CommitStatus } from '../../domain/commit-status.ts'
import { appAddress, type PublicPort } from '../../domain/public-port.ts'
import type { NotificationEvent, OutgoingMessage, Receiver } from '../../domain/receivers.ts'
import type { Environment } from '../../domain/records.ts'
import type { Clock, Store } from '../../ports.ts'
import { auditRow, daemonActor } from './audit-row.ts'

/** An event that receivers may hear of. `message` is shown to users and never contains a secret. */
export type Announcement =
  | {
      readonly kind: 'deploy.started' | 'deploy.succeeded' | 'deploy.failed' | 'app.crashed'
      readonly environment: Pick<Environment, 'projectId' | 'branch'> &
        Partial<Pick<Environment, 'id' | 'commitSha' | 'hostname'>>
      readonly message: string
    }
  | {
      readonly kind: 'certificate.failed'
      readonly projectId: number
      readonly domain: string
      readonly message: string
    }
  | { readonly kind: 'backup.failed'; readonly message: string }

/**
 * Stores a message for each receiver of an event, in the transaction of the event: a killed daemon loses none, and none
 * tells of an event that was undone.
 */
export type Announce = (tx: Store, announcement: Announcement) => Promise<void>

export function createAnnounce(deps: {
  clock: Pick<Clock, 'now'>
  ids: () => string
  publicPort: PublicPort
}): Announce {
  const { clock, ids, publicPort } = deps

  /** Returns the address of an app: its first domain with a certificate, otherwise its host name. */
  async function addressOf(tx: Store, { projectId, branch, hostname }: EventEnvironment) {
    if (hostname === undefined) return null
    for (const name of await tx.domains.listNames(projectId, branch)) {
      if ((await tx.domains.find(name))?.certificate) return `https://${name}`
    }
    return appAddress(hostname, publicPort(hostname))
  }

  async function add(tx: Store, receiver: Receiver, body: object, subject: string | null) {
    const dropped = await tx.outgoing.add({
      receiverId: receiver.id,
      messageId: `msg_${ids()}`,
      body: JSON.stringify(body),
      subject,
      createdAt: clock.now(),
    })
    for (const message of dropped) {
      const reason = 'too many messages wait for it'
      await tx.audit.write(givenUpRow(receiver, message, reason, clock.now()))
    }
  }

  return async (tx, announcement) => {
    const projectId = projectOf(announcement)
    const receivers = await tx.receivers.listFor(projectId)
    if (receivers.length === 0) return
    const project = projectId === null ? undefined : await tx.projects.find(projectId)
    if (projectId !== null && !project) return
    const environment = 'environment' in announcement ? announcement.environment : undefined
    const url = environment ? await addressOf(tx, environment) : null
    for (const receiver of receivers) {
      if (receiver.kind !== 'webhook') {
        const status = statusOf(announcement, `strata/${project?.name ?? ''}`, url)
        if (status) await add(tx, receiver, status, status.commitSha)
      } else if (isChosen(receiver, announcement.kind)) {
        const { kind, message } = announcement
        const body = notificationBody(kind, clock.now(), {
          project: project ? { id: project.id, name: project.name } : null,
          ...(environment && {
            branch: environment.branch,
            commit_sha: knownCommit(environment) ?? null,
            environment_id: environment.id ?? null,
            url: kind === 'deploy.failed' ? null : url,
          }),
          ...('domain' in announcement && { domain: announcement.domain }),
          message,
        })
        await add(tx, receiver, body, null)
      }
    }
  }
}

type EventEnvironment = Extract<Announcement, { environment: unknown }>['environment']

/** Returns the body of a notification, in the form of Standard Webhooks. */
export function notificationBody(
  type: NotificationEvent | 'deploy.started' | 'test',
  at: number,
  data: object,
): object {
  return { type, timestamp: new Date(at).toISOString(), data }
}

/** Returns the audit record of a message that is not sent any more. */
export function givenUpRow(
  { projectId, kind, url }: Receiver,
  { createdAt }: Pick<OutgoingMessage, 'createdAt'>,
  reason: string,
  at: number,
) {
  const name = kind === 'webhook' ? 'a notification' : 'a commit status'
  const detail = `${name} of ${new Date(createdAt).toISOString()} to ${new URL(url).origin} was given up: ${reason}`
  return auditRow(
    'project_updated',
    projectId === null ? {} : { projectId },
    detail,
    daemonActor,
    at,
  )
}

function projectOf(announcement: Announcement): number | null {
  if ('environment' in announcement) return announcement.environment.projectId
  return 'projectId' in announcement ? announcement.projectId : null
}

function isChosen({ events }: Receiver, kind: Announcement['kind']): boolean {
  return events.some((event) => event === kind)
}

/** Git's null commit stands for a branch that git has not resolved. */
function knownCommit({ commitSha }: EventEnvironment): string | undefined {
  return commitSha === undefined || /^0+$/.test(commitSha) ? undefined : commitSha
}

/** Returns the status of a deploy; undefined for another event. A public host shows it to everybody: no reason is in it. */
function statusOf(
  announcement: Announcement,
  context: string,
  url: string | null,
): CommitStatus | undefined {
  if (!('environment' in announcement)) return undefined
  const { kind, environment } = announcement
  const commitSha = knownCommit(environment)
  if (commitSha === undefined) return undefined
  const { branch } = environment
  const common = { commitSha, branch, context }
  switch (kind) {
    case 'deploy.started':
      return { ...common, state: 'pending', description: 'The deploy runs', targetUrl: null }
    case 'deploy.succeeded':
      return { ...common, state: 'success', description: 'The app runs', targetUrl: url }
    case 'deploy.failed':
      return {
        ...common,
        state: 'failure',
        description: 'The deploy failed: see strata status and strata logs',
        targetUrl: null,
      }
    case 'app.crashed':
      return undefined
  }
}
