import type { Project } from '../../../../daemon/client/contract.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { readEnvironmentsToShow, withAddresses } from '../projects/environments-to-show.ts'
import { findNamedProject, findProjectHere, listProjects } from '../projects/projects.ts'
import { environmentTable, queueTable } from '../projects/tables.ts'
import { readRepository } from '../repository/repository.ts'
import { runWithDaemon } from '../run/run-command.ts'

export interface StatusOptions extends CommonOptions {
  readonly project?: string
  readonly all?: boolean
}

/** `strata status`: lists the environments and the queued deploys of a project, or of all projects. */
export function status(options: StatusOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output, client, signal } = session
    const projects = await listProjects(session)
    const project = await chooseProject(session, options)
    const shown = project ? [project] : projects
    const environments = (
      await Promise.all(shown.map((each) => readEnvironmentsToShow(session, each)))
    ).flat()
    const { body } = await client.call('listQueue', {}, { signal })
    const queue = body.filter(({ project_id }) => shown.some(({ id }) => id === project_id))
    const value = { projects: shown, environments: withAddresses(environments), queue }
    output.result(value, () => [
      ...(project ? [`${project.name}  ${project.repo_dir ?? project.repo_url}`, ''] : []),
      ...(environments.length === 0
        ? ['no deploys yet: strata up']
        : environmentTable(output, projects, environments)),
      ...(queue.length === 0 ? [] : ['', 'deploy queue:', ...queueTable(output, projects, queue)]),
    ])
  })
}

/** Returns undefined to show all projects: with `--all`, or if the folder belongs to no registered project. */
async function chooseProject(
  session: Session,
  { all, project }: StatusOptions,
): Promise<Project | undefined> {
  if (project !== undefined) return findNamedProject(session, project)
  if (all) return undefined
  try {
    const here = await findProjectHere(session, await readRepository(process.cwd()))
    if (!here) {
      session.output.note(
        'this folder is not registered, so all projects are shown; strata up registers it',
      )
    }
    return here
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}
