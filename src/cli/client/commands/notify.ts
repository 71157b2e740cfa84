import type { Notification } from '../../../../daemon/client/contract.ts'
import { type NotificationEvent, notificationEvents } from '../../../../daemon/client/receivers.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { requireProject } from '../projects/projects.ts'
import { parseId, parseList } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'

interface NotifyOptions extends CommonOptions {
  readonly project?: string
  readonly server?: boolean
}

/** The project of the options; undefined for the server. */
async function ownerOf(session: Session, { project, server }: NotifyOptions) {
  if (server && project !== undefined) {
    throw new ClientError('--server and --project exclude each other: give one of them')
  }
  return server ? undefined : (await requireProject(session, project)).project
}

/** `strata notify add` */
export function addNotification(
  url: string,
  options: NotifyOptions & { readonly events?: string },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const events = options.events === undefined ? {} : { events: parseEvents(options.events) }
    const project = await ownerOf(session, options)
    const body = { url, ...events }
    const { body: added } = project
      ? await client.call('addNotification', { params: { id: project.id }, body }, { signal })
      : await client.call('addServerNotification', { body }, { signal })
    output.result(added, () => [
      `notification ${added.id} sends ${added.events.join(', ')}`,
      `signing key  ${added.signing_key}`,
    ])
    output.note('  the signing key is not shown again')
    output.note(`  try it: strata notify test ${added.id}${project ? '' : ' --server'}`)
  })
}

/** `strata notify list` */
export function listNotifications(options: NotifyOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const project = await ownerOf(session, options)
    const { body } = project
      ? await client.call('listNotifications', { params: { id: project.id } }, { signal })
      : await client.call('listServerNotifications', {}, { signal })
    output.result(body, () =>
      body.length === 0
        ? ['no notifications: strata notify add https://…']
        : output.table(['ID', 'URL', 'EVENTS', 'STATE'], body.map(rowOf)),
    )
    for (const { id, fault } of body) {
      if (fault !== null) output.note(`  ${id}: ${printable(fault)}`)
    }
  })
}

/** `strata notify test` */
export function testNotification(id: string, options: NotifyOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const notification = parseId('notification id', id)
    const project = await ownerOf(session, options)
    const { body } = project
      ? await client.call(
          'testNotification',
          { params: { id: project.id, notification } },
          { signal, timeoutMs },
        )
      : await client.call(
          'testServerNotification',
          { params: { notification } },
          { signal, timeoutMs },
        )
    output.result(body, () => [`notification ${notification} accepted the test: ${body.status}`])
  })
}

/** `strata notify remove` */
export function removeNotification(id: string, options: NotifyOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const notification = parseId('notification id', id)
    const project = await ownerOf(session, options)
    if (project) {
      const params = { id: project.id, notification }
      await client.call('removeNotification', { params }, { signal })
    } else {
      await client.call('removeServerNotification', { params: { notification } }, { signal })
    }
    output.result({ id: notification, status: 'removed' }, () => [
      `removed notification ${notification}`,
    ])
  })
}

function rowOf({ id, url, events, fault, waiting, delivered_at }: Notification): string[] {
  const isNew = delivered_at === null && fault === null
  const state = fault !== null ? `failing, ${waiting} wait` : isNew ? 'nothing sent yet' : 'ok'
  return [String(id), printable(url), events.join(', '), state]
}

function parseEvents(text: string): NotificationEvent[] {
  return parseList(text).map((name) => {
    const known = notificationEvents.find((event) => event === name)
    if (known) return known
    throw new ClientError(
      `invalid --events ${JSON.stringify(name)}: expected ${notificationEvents.join(', ')}`,
    )
  })
}
