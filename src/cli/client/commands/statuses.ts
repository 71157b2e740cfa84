import { statusHosts } from '../../../../daemon/client/receivers.ts'
import type { CommonOptions } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { requireProject } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'
import { readStdin } from '../terminal/read-stdin.ts'

interface StatusesOptions extends CommonOptions {
  readonly project?: string
}

/** `strata statuses on` */
export function setStatuses(
  hostName: string,
  options: StatusesOptions & { readonly apiUrl?: string; readonly repository?: string },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const host = statusHosts.find((known) => known === hostName)
    if (!host) {
      throw new ClientError(
        `invalid host ${JSON.stringify(hostName)}: expected ${statusHosts.join(', ')}`,
      )
    }
    const { project } = await requireProject(session, options.project)
    const token = (await readStdin(`API token of ${host} (hidden): `, signal)).trim()
    if (token === '') throw new ClientError('the API token is empty: give it on standard input')
    const body = {
      ...{ host, token },
      ...(options.apiUrl !== undefined && { api_url: options.apiUrl }),
      ...(options.repository !== undefined && { repository: options.repository }),
    }
    const input = { params: { id: project.id }, body }
    const { body: set } = await client.call('setStatuses', input, { signal })
    output.result(set, () => [
      `deploys of ${printable(project.name)} show at ${printable(set.repository)} (${set.api_url})`,
    ])
  })
}

/** `strata statuses show` */
export function showStatuses(options: StatusesOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const { body } = await client.call('findStatuses', { params: { id: project.id } }, { signal })
    output.result(body, () => [
      `host        ${body.host}`,
      `api         ${body.api_url}`,
      `repository  ${printable(body.repository)}`,
      `newest      ${body.delivered_at ?? 'nothing sent yet'}`,
      `waiting     ${body.waiting}`,
    ])
    if (body.fault !== null) output.note(`  ${printable(body.fault)}`)
  })
}

/** `strata statuses off` */
export function removeStatuses(options: StatusesOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    await client.call('removeStatuses', { params: { id: project.id } }, { signal })
    output.result({ project: project.name, status: 'removed' }, () => [
      `${printable(project.name)} sends no commit statuses any more`,
    ])
  })
}
