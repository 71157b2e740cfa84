import type { Environment, Project, QueueEntry } from '../../../daemon/client/contract.ts'
import { AnswerError } from '../../../daemon/client/errors.ts'
import { ClientError } from './client-error.ts'
import { addressOf } from './environments.ts'
import { findNamedProject, findProjectHere, listProjects } from './projects.ts'
import { readRepository } from './repository/repository.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions, Session } from './session.ts'
import type { Output } from './terminal/output.ts'
import { printable } from './terminal/printable.ts'
import { styleOf } from './terminal/style.ts'
import { ago } from './terminal/times.ts'

export interface StatusOptions extends CommonOptions {
  readonly project?: string
  readonly all?: boolean
}

/** `strata ps`: the live environments of all projects. */
export function ps(options: CommonOptions & { readonly node?: string }): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output } = session
    const projects = await listProjects(session)
    const rows = await liveRows(session, projects, options.node)
    output.result(withAddresses(rows), () =>
      rows.length === 0
        ? ['nothing is deployed: strata up, in the folder of a project']
        : environmentTable(output, projects, rows),
    )
  })
}

/** `strata status`: the branches of the folder's project, what waits, and what failed last. */
export function status(options: StatusOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output, client, signal } = session
    const projects = await listProjects(session)
    const project = await chooseProject(session, options)
    const shown = project ? [project] : projects
    const rows = (await Promise.all(shown.map((each) => newestRows(session, each)))).flat()
    const { body: queue } = await client.call('listQueue', {}, { signal })
    const waiting = queue.filter(({ project_id }) => shown.some(({ id }) => id === project_id))
    const value = { projects: shown, environments: withAddresses(rows), queue: waiting }
    output.result(value, () => [
      ...(project ? [`${project.name}  ${project.repo_dir ?? project.repo_url}`, ''] : []),
      ...(rows.length === 0
        ? ['nothing is deployed yet: strata up']
        : environmentTable(output, projects, rows)),
      ...queueLines(output, projects, waiting),
    ])
  })
}

/** Undefined for all. A folder that is no project's is no reason to fail. */
async function chooseProject(
  session: Session,
  { all, project }: StatusOptions,
): Promise<Project | undefined> {
  if (project !== undefined) return findNamedProject(session, project)
  if (all) return undefined
  try {
    const here = await findProjectHere(session, await readRepository(process.cwd()))
    if (!here) session.output.note('this folder is not registered yet (strata up): all projects')
    return here
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}

/** Of each branch the live row, and a newer one that is being built or has failed. */
async function newestRows({ client, signal }: Session, { id }: Project): Promise<Environment[]> {
  const { body } = await client.call('listProjectEnvironments', { params: { id } }, { signal })
  return rowsWorthShowing(body)
}

export function rowsWorthShowing(rows: readonly Environment[]): Environment[] {
  const branches = [...new Set(rows.map(({ branch }) => branch.name))].toSorted()
  return branches.flatMap((name) => {
    const own = rows.filter(({ branch }) => branch.name === name)
    const live = own.filter(({ state }) => isLive(state)).at(-1)
    const newest = own.at(-1)
    const isNews = newest?.state === 'building' || newest?.state === 'build_failed'
    return [live, isNews ? newest : undefined].filter((row) => row !== undefined)
  })
}

function isLive(state: Environment['state']): boolean {
  return state === 'running' || state === 'paused' || state === 'hibernating'
}

/** A token for some projects may not ask for the rows of all. */
async function liveRows(
  session: Session,
  projects: readonly Project[],
  node: string | undefined,
): Promise<Environment[]> {
  const { client, signal } = session
  try {
    return (await client.call('listLiveEnvironments', { query: { node } }, { signal })).body
  } catch (error) {
    if (!(error instanceof AnswerError) || error.status !== 403) throw error
    const rows = await Promise.all(projects.map((project) => newestRows(session, project)))
    return rows.flat().filter(({ state }) => isLive(state))
  }
}

function withAddresses(rows: readonly Environment[]) {
  return rows.map((row) => ({ ...row, address: addressOf(row) ?? null }))
}

export function environmentTable(
  { table, paint }: Output,
  projects: readonly Project[],
  rows: readonly Environment[],
): string[] {
  const now = Date.now()
  return table(
    ['ID', 'PROJECT', 'BRANCH', 'STATE', 'COMMIT', 'CHANGED', 'ADDRESS'],
    rows.map((row) => [
      String(row.id),
      nameOf(projects, row.project_id),
      printable(row.branch.name),
      paint(styleOf(row.state), row.state),
      row.branch.commit_sha.slice(0, 7),
      ago(row.updated_at, now),
      addressOf(row) ?? paint('dim', printable(row.reason ?? '')),
    ]),
  )
}

export function queueTable(
  { table, paint }: Output,
  projects: readonly Project[],
  queue: readonly QueueEntry[],
): string[] {
  const now = Date.now()
  return table(
    ['ID', 'PROJECT', 'BRANCH', 'STATE', 'ASKED BY', 'ASKED', 'TRIES'],
    queue.map((entry) => [
      String(entry.id),
      nameOf(projects, entry.project_id),
      printable(entry.branch),
      paint(styleOf(entry.state === 'running' ? 'building' : entry.state), entry.state),
      printable(entry.operator),
      ago(entry.requested_at, now),
      String(entry.attempts),
    ]),
  )
}

function queueLines(
  output: Output,
  projects: readonly Project[],
  queue: readonly QueueEntry[],
): string[] {
  if (queue.length === 0) return []
  return ['', 'deploys under way:', ...queueTable(output, projects, queue)]
}

function nameOf(projects: readonly Project[], id: number): string {
  return printable(projects.find((project) => project.id === id)?.name ?? `project ${id}`)
}
