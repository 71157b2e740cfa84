import type { Environment, Project } from '../../../../daemon/client/contract.ts'
import { ResponseError } from '../../../../daemon/client/errors.ts'
import { isLive } from '../../../../daemon/client/states.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { readEnvironmentsToShow, withAddresses } from '../projects/environments-to-show.ts'
import { listProjects } from '../projects/projects.ts'
import { environmentTable } from '../projects/tables.ts'
import { runWithDaemon } from '../run/run-command.ts'

/** `strata ps`: lists the live environments of all projects. */
export function ps(options: CommonOptions & { readonly node?: string }): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const projects = await listProjects(session)
    const environments = await readLive(session, projects, options.node)
    output.result(withAddresses(environments), () =>
      environments.length === 0
        ? ['no live environments: run strata up in the folder of a project']
        : environmentTable(output, projects, environments),
    )
  })
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
