import type { Environment, Project } from '../../../../daemon/client/contract.ts'
import { ResponseError } from '../../../../daemon/client/errors.ts'
import { isLive } from '../../../../daemon/client/states.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { readEnvironmentsToShow, withAddresses } from '../projects/environments-to-show.ts'
import { listProjects } from '../projects/projects.ts'
import { environmentTable, nameOf } from '../projects/tables.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { changeLine } from '../watch/change-lines.ts'
import { type View, watch } from '../watch/watch.ts'

export interface PsOptions extends CommonOptions {
  readonly node?: string
  readonly watch?: boolean
}

/** `strata ps`: lists the live environments of all projects. */
export function ps(options: PsOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const view = createView(session, options.node)
    if (options.watch) return watch(session, view)
    const value = await view.read()
    session.output.result(view.toJson(value), () => view.toLines(value))
  })
}

interface LiveEnvironments {
  readonly projects: readonly Project[]
  readonly environments: readonly Environment[]
}

function createView(session: Session, node: string | undefined): View<LiveEnvironments> {
  return {
    async read() {
      const projects = await listProjects(session)
      return { projects, environments: await readLive(session, projects, node) }
    },
    toLines: ({ projects, environments }) =>
      environments.length === 0
        ? ['no live environments: run strata up in the folder of a project']
        : environmentTable(session.output, projects, environments),
    toJson: ({ environments }) => withAddresses(environments),
    environments: ({ environments }) => environments,
    toChangeLine:
      ({ projects }) =>
      (each) =>
        changeLine(nameOf(projects, each.project_id), each),
    isAffected: ({ event }) => /^(environment|project)/.test(event),
  }
}

/** Falls back to one request per project: a token limited to some projects gets 403 for the global list. */
async function readLive(
  session: Session,
  projects: readonly Project[],
  node: string | undefined,
): Promise<Environment[]> {
  const { client, signal } = session
  try {
    return (await client.call('listLiveEnvironments', { query: { node } }, { signal })).body
  } catch (error) {
    if (!(error instanceof ResponseError) || error.status !== 403) throw error
    const ofProjects = projects.map((project) => readEnvironmentsToShow(session, project))
    return (await Promise.all(ofProjects)).flat().filter(({ state }) => isLive(state))
  }
}
