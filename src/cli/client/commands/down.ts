import { isLive } from '../../../../daemon/client/states.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { lifecycleTimeoutMs as timeoutMs } from '../connection/timeouts.ts'
import { findOfBranch, findTarget, type TargetOptions } from '../projects/environments.ts'
import { findNamedProject, requireProject } from '../projects/projects.ts'
import { keptText, readTrash } from '../projects/trash.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { confirm } from '../terminal/confirm.ts'
import { printable } from '../terminal/printable.ts'

export interface DownOptions extends CommonOptions, TargetOptions {
  readonly purgeSecrets?: boolean
  readonly purgeData?: boolean
  readonly everything?: boolean
  readonly yes?: boolean
}

/** `strata down`: removes an environment, or the whole project with `--everything`. */
export function down(target: string | undefined, options: DownOptions): Promise<void> {
  return runWithDaemon(options, (session) =>
    options.everything
      ? removeProject(session, target, options)
      : removeEnvironment(session, target, options),
  )
}

async function removeEnvironment(
  session: Session,
  target: string | undefined,
  options: DownOptions,
): Promise<void> {
  const { client, output, signal } = session
  const { purgeSecrets = false, purgeData = false, yes = false } = options
  const { environment } = await findTarget(session, target, options)
  const { id, project_id } = environment
  const project = await findNamedProject(session, String(project_id))
  const branch = printable(environment.branch.name)
  const live = await findOfBranch(session, project, environment.branch.name)
  const isLast = live === undefined || live.id === id || !isLive(live.state)
  const flags = [purgeSecrets && '--purge-secrets', purgeData && '--purge-data'].filter(Boolean)
  await confirm(
    {
      consequences: [
        `environment ${id}: branch ${branch} of ${printable(project.name)}, ${environment.state}`,
        ...(isLast
          ? [dataFate(purgeData, project.trash_keep, `strata up ${branch}`)]
          : [`  environment ${live.id} of the branch stays, and so does the data`]),
        `  the secrets of the branch ${isLast && purgeSecrets ? 'are deleted' : 'stay'}`,
      ],
      question: `remove environment ${id}?`,
      unattended: ['strata down', target ?? branch, ...flags, '--yes'].join(' '),
      isGiven: yes,
    },
    output,
    signal,
  )
  const before = await readTrash(session, project_id)
  const query = { purge_secrets: purgeSecrets, purge_data: purgeData }
  await client.call('destroyEnvironment', { params: { id }, query }, { signal, timeoutMs })
  const after = await readTrash(session, project_id)
  const kept = after.find((entry) => !before.some((old) => old.id === entry.id))
  output.result({ environment_id: id, status: 'destroyed', trash: kept ?? null }, () => {
    const again = `strata up ${branch}`
    if (kept) {
      return [
        `${branch} (environment ${id}) is gone; its data (${keptText(kept)}): ${again} brings both back`,
      ]
    }
    if (purgeData && isLast) return [`${branch} (environment ${id}) is gone, and so is its data`]
    return [`${branch} (environment ${id}) is gone; ${again} deploys it again`]
  })
}

async function removeProject(
  session: Session,
  target: string | undefined,
  options: DownOptions,
): Promise<void> {
  const { client, output, signal } = session
  const { purgeData = false, yes = false } = options
  const { project } = await requireProject(session, options.project ?? target)
  const { id } = project
  const name = printable(project.name)
  const ofProject = { params: { id } }
  const { body } = await client.call('listProjectEnvironments', ofProject, { signal })
  const branches = new Set(
    body.filter(({ state }) => state !== 'destroyed').map((each) => each.branch.name),
  )
  const flags = purgeData ? ['--purge-data'] : []
  await confirm(
    {
      consequences: [
        `project ${id}: ${name}, with ${branches.size} deployed branches`,
        '  settings, secrets, releases and logs of the project are deleted',
        dataFate(
          purgeData,
          project.trash_keep,
          'strata trash restore <id> --project <new project>',
        ),
      ],
      question: `delete the project ${name}?`,
      unattended: `strata down --everything --project ${id} ${[...flags, '--yes'].join(' ')}`,
      isGiven: yes,
    },
    output,
    signal,
  )
  const query = { purge_data: purgeData }
  await client.call('removeProject', { ...ofProject, query }, { signal, timeoutMs })
  const kept = await readTrash(session, id)
  output.result({ project_id: id, status: 'deleted', trash: kept }, () => [
    `deleted ${name} with its environments and secrets${purgeData ? ', and its data' : ''}`,
    ...kept.map((entry) => `  data of ${printable(entry.branch)}: ${keptText(entry)}`),
  ])
}

function dataFate(isPurged: boolean, keep: string, again: string): string {
  if (isPurged) return '  the data is deleted for good, and so is older data of it in the trash'
  return `  the data moves to the trash of the daemon for ${keep}: ${again} brings it back`
}
