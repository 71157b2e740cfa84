import type { Environment, Project, QueueEntry } from '../../../../daemon/client/contract.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { readEnvironmentsToShow, withAddresses } from '../projects/environments-to-show.ts'
import { findNamedProject, findProjectHere, listProjects } from '../projects/projects.ts'
import { environmentTable, nameOf, queueTable } from '../projects/tables.ts'
import { readRepository } from '../repository/repository.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { changeLine } from '../watch/change-lines.ts'
import { type View, watch } from '../watch/watch.ts'

export interface StatusOptions extends CommonOptions {
  readonly project?: string
  readonly all?: boolean
  readonly watch?: boolean
}

/** `strata status`: lists the environments and the queued deploys of a project, or of all projects. */
export function status(options: StatusOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const view = createView(session, await chooseProject(session, options))
    if (options.watch) return watch(session, view)
    const value = await view.read()
    session.output.result(view.toJson(value), () => view.toLines(value))
  })
}

interface Status {
  readonly projects: readonly Project[]
  readonly environments: readonly Environment[]
  readonly queue: readonly QueueEntry[]
}

/** `project` is undefined to show all projects. */
function createView(session: Session, project: Project | undefined): View<Status> {
  const { output, client, signal } = session
  const isShown = (id: number) => project === undefined || project.id === id
  return {
    async read() {
      const projects = (await listProjects(session)).filter(({ id }) => isShown(id))
      const lists = projects.map((each) => readEnvironmentsToShow(session, each))
      const environments = (await Promise.all(lists)).flat()
      const { body } = await client.call('listQueue', {}, { signal })
      return { projects, environments, queue: body.filter((entry) => isShown(entry.project_id)) }
    },
    toLines: ({ projects, environments, queue }) => [
      ...(project ? [`${project.name}  ${project.repo_dir ?? project.repo_url}`, ''] : []),
      ...(environments.length === 0
        ? ['no deploys yet: strata up']
        : environmentTable(output, projects, environments)),
      ...(queue.length === 0 ? [] : ['', 'deploy queue:', ...queueTable(output, projects, queue)]),
    ],
    toJson: ({ projects, environments, queue }) => ({
      projects,
      environments: withAddresses(environments),
      queue,
    }),
    environments: ({ environments }) => environments,
    toChangeLine:
      ({ projects }) =>
      (each) =>
        changeLine(nameOf(projects, each.project_id), each),
    isAffected({ event, data }) {
      if (event === 'project' || event === 'project_removed') return isShown(data.id)
      if (!/^(environment|queue_entry)/.test(event)) return false
      return 'project_id' in data && data.project_id !== null && isShown(data.project_id)
    },
  }
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
