import { defaultApiUrl } from '../../domain/commit-status.ts'
import { defaultEvents, originOf, type Receiver, type StatusHost } from '../../domain/receivers.ts'
import type { Project } from '../../domain/records.ts'
import { createSigningKey } from '../../domain/sign-notification.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Sender, Store, Vault } from '../../ports.ts'
import { notificationBody } from '../ground/announce.ts'
import { auditRow } from '../ground/audit-row.ts'
import { findProject } from '../ground/find-project.ts'
import type { Actor, ReceiverUseCases, ReceiverView } from '../ground/use-cases.ts'
import type { Deliveries } from '../run/deliveries.ts'

/** Bounds the messages of one event. */
const maxWebhooks = 10

/** Use cases of webhooks and statuses of projects, and of the webhooks of the server. */
export function createReceivers(deps: {
  store: Store
  vault: Vault
  clock: Pick<Clock, 'now'>
  ids: () => string
  sender: Pick<Sender, 'urlFault'>
  deliveries: Pick<Deliveries, 'attempt'>
}): ReceiverUseCases {
  const { store, vault, clock, ids, sender, deliveries } = deps

  async function requireOwner(tx: Pick<Store, 'projects'>, projectId: number | null) {
    if (projectId !== null) await findProject(tx, projectId)
  }

  function requireUrl(name: string, url: string): void {
    const fault = sender.urlFault(url)
    if (fault !== undefined) throw new DaemonError('bad-request', `${name} ${fault}`)
  }

  async function view(receiver: Receiver): Promise<ReceiverView> {
    return { receiver, waiting: await store.outgoing.count(receiver.id) }
  }

  /** An audit record of the server has no project: the secret is what changes. */
  function changeRow(
    projectId: number | null,
    kind: 'secret_set' | 'secret_deleted',
    detail: string,
    actor: Actor,
  ) {
    return projectId === null
      ? auditRow(kind, {}, detail, actor, clock.now())
      : auditRow('project_updated', { projectId }, detail, actor, clock.now())
  }

  async function webhooksOf(tx: Pick<Store, 'receivers'>, projectId: number | null) {
    return (await tx.receivers.list(projectId)).filter(({ kind }) => kind === 'webhook')
  }

  async function statusHostOf(tx: Pick<Store, 'receivers'>, projectId: number) {
    const found = (await tx.receivers.list(projectId)).find(({ kind }) => kind !== 'webhook')
    if (found) return found
    throw new DaemonError('not-found', `project ${projectId} sends no commit statuses`)
  }

  async function findWebhook(
    tx: Pick<Store, 'receivers'>,
    projectId: number | null,
    id: number,
  ): Promise<Receiver> {
    const found = (await webhooksOf(tx, projectId)).find((receiver) => receiver.id === id)
    if (!found) throw new DaemonError('not-found', `no notification ${id}`)
    return found
  }

  return {
    async listWebhooks(projectId) {
      await requireOwner(store, projectId)
      return Promise.all((await webhooksOf(store, projectId)).map(view))
    },

    async addWebhook({ projectId, url, events }, actor) {
      requireUrl('url', url)
      const signingKey = createSigningKey()
      const receiver = await store.transaction(async (tx) => {
        await requireOwner(tx, projectId)
        if ((await webhooksOf(tx, projectId)).length >= maxWebhooks) {
          throw new DaemonError(
            'conflict',
            `there are at most ${maxWebhooks} notifications: remove one first`,
          )
        }
        const added = await tx.receivers.create({
          projectId,
          kind: 'webhook',
          url,
          repository: null,
          secret: vault.seal(signingKey),
          events: events ?? defaultEvents[projectId === null ? 'server' : 'project'],
          createdAt: clock.now(),
          deliveredAt: null,
          fault: null,
        })
        const detail = `notifications ${added.id} go to ${originOf(url)}`
        await tx.audit.write(changeRow(projectId, 'secret_set', detail, actor))
        return added
      })
      return { receiver, waiting: 0, signingKey }
    },

    async removeWebhook(projectId, id, actor) {
      await store.transaction(async (tx) => {
        await requireOwner(tx, projectId)
        const { url } = await findWebhook(tx, projectId, id)
        await tx.receivers.remove(id)
        const detail = `notifications ${id} no longer go to ${originOf(url)}`
        await tx.audit.write(changeRow(projectId, 'secret_deleted', detail, actor))
      })
    },

    async testWebhook(projectId, id, signal) {
      await requireOwner(store, projectId)
      const receiver = await findWebhook(store, projectId, id)
      const body = notificationBody('test', clock.now(), {
        project: projectId === null ? null : await nameOf(projectId),
        message: 'this is a test',
      })
      const message = { messageId: `msg_${ids()}`, body: JSON.stringify(body) }
      const result = await deliveries.attempt(receiver, message, signal)
      if (result.kind === 'failed') {
        await store.receivers.update(id, { fault: result.fault })
        throw new DaemonError(
          'unprocessable',
          `${originOf(receiver.url)} did not accept the test: ${result.fault}`,
        )
      }
      await store.receivers.update(id, { deliveredAt: clock.now(), fault: null })
      return { status: result.status }
    },

    async findStatuses(projectId) {
      await requireOwner(store, projectId)
      return view(await statusHostOf(store, projectId))
    },

    async setStatuses({ projectId, host, token, apiUrl, repository }, actor) {
      const receiver = await store.transaction(async (tx) => {
        const project = await findProject(tx, projectId)
        const place = placeOf(project, host, { apiUrl, repository })
        requireUrl('api_url', place.url)
        const added = await tx.receivers.create({
          projectId,
          kind: host,
          ...place,
          secret: vault.seal(token),
          events: [],
          createdAt: clock.now(),
          deliveredAt: null,
          fault: null,
        })
        const detail = `commit statuses go to ${place.repository} at ${originOf(place.url)}`
        await tx.audit.write(changeRow(projectId, 'secret_set', detail, actor))
        return added
      })
      return view(receiver)
    },

    async removeStatuses(projectId, actor) {
      await store.transaction(async (tx) => {
        await requireOwner(tx, projectId)
        const { id, url } = await statusHostOf(tx, projectId)
        await tx.receivers.remove(id)
        const detail = `commit statuses no longer go to ${originOf(url)}`
        await tx.audit.write(changeRow(projectId, 'secret_deleted', detail, actor))
      })
    },
  }

  async function nameOf(projectId: number) {
    const { id, name } = await findProject(store, projectId)
    return { id, name }
  }
}

/** Returns the API and the repository of a project at its git host. Throws `bad-request` if they can't be derived. */
function placeOf(
  { remoteKey }: Project,
  host: StatusHost,
  { apiUrl, repository }: { apiUrl: string | undefined; repository: string | undefined },
): Pick<Receiver, 'url' | 'repository'> {
  const [hostname = '', ...path] = (remoteKey ?? '').split('/')
  const url = (apiUrl ?? (hostname === '' ? '' : defaultApiUrl(host, hostname))).replace(/\/+$/, '')
  const name = repository ?? path.join('/')
  if (url === '' || name === '') {
    throw new DaemonError(
      'bad-request',
      'the project has no remote at a git host: give api_url and repository',
    )
  }
  const segments = name.split('/').length
  if (host === 'gitlab' ? segments >= 2 : segments === 2) return { url, repository: name }
  throw new DaemonError(
    'bad-request',
    `repository ${name} must be the path of a repository at the host, such as acme/shop`,
  )
}
