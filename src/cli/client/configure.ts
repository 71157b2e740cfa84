import type { Project } from '../../../daemon/client/contract.ts'
import { requireProject } from './projects.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import { readStdin } from './terminal/read-stdin.ts'
import { parseCount, parseList } from './values.ts'

export interface ConfigureOptions extends CommonOptions {
  readonly project?: string
  readonly pauseAfter?: string
  readonly destroyAfter?: string
  readonly branches?: string
  readonly ignore?: string
  readonly maxEnvironments?: string
  readonly gitToken?: boolean
}

/** `strata configure`: changes what is named, and shows all. */
export function configure(options: ConfigureOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const changes = { ...changesOf(options), ...(await gitTokenOf(options, signal)) }
    const input = { params: { id: project.id }, body: changes }
    const changed =
      Object.keys(changes).length === 0
        ? project
        : (await client.call('updateProject', input, { signal })).body
    output.result(changed, () => settingLines(changed))
  })
}

function changesOf(options: ConfigureOptions) {
  const { pauseAfter, destroyAfter, branches, ignore, maxEnvironments: most } = options
  return {
    ...(pauseAfter !== undefined && { pause_after: pauseAfter }),
    ...(destroyAfter !== undefined && { destroy_after: destroyAfter }),
    ...(branches !== undefined && { branches: parseList(branches) }),
    ...(ignore !== undefined && { ignore: parseList(ignore) }),
    ...(most !== undefined && {
      max_environments: most === 'none' ? null : parseCount('--max-environments', most, 100_000),
    }),
  }
}

async function gitTokenOf({ gitToken }: ConfigureOptions, signal: AbortSignal) {
  if (!gitToken) return {}
  const token = await readStdin('token for the git host (not shown, empty clears it): ', signal)
  return { git_token: token.trim() }
}

export function settingLines(project: Project): string[] {
  const { max_environments: most } = project
  const rows: [string, string][] = [
    ['project', `${project.name} (${project.id})`],
    ['from', project.repo_dir ?? project.repo_url ?? ''],
    ['folder', project.context === '' ? 'the root of the repository' : project.context],
    ['sleeps after', `${project.pause_after} without a request`],
    ['is removed after', `${project.destroy_after} without a request`],
    ['branches', project.branches.length === 0 ? 'all' : project.branches.join(', ')],
    ['ignores', project.ignore.length === 0 ? 'none' : project.ignore.join(', ')],
    ['environments', most === null ? 'no limit' : `at most ${most}`],
    ['git token', project.has_git_token ? 'is set' : 'none'],
  ]
  return rows.map(([name, value]) => `${name.padEnd(18)}${value}`)
}
