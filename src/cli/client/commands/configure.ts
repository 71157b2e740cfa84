import type { Project } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { requireProject } from '../projects/projects.ts'
import { parseCount, parseList } from '../run/option-values.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { printable } from '../terminal/printable.ts'
import { readStdin } from '../terminal/read-stdin.ts'

export interface ConfigureOptions extends CommonOptions {
  readonly project?: string
  readonly pauseAfter?: string
  readonly destroyAfter?: string
  readonly branches?: string
  readonly ignore?: string
  readonly maxEnvironments?: string
  readonly gitToken?: boolean
}

/** `strata configure`: changes the given settings and prints all settings. */
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
  const { pauseAfter, destroyAfter, branches, ignore, maxEnvironments } = options
  return {
    ...(pauseAfter !== undefined && { pause_after: pauseAfter }),
    ...(destroyAfter !== undefined && {
      destroy_after: destroyAfter === 'never' ? null : destroyAfter,
    }),
    ...(branches !== undefined && { branches: parseList(branches) }),
    ...(ignore !== undefined && { ignore: parseList(ignore) }),
    ...(maxEnvironments !== undefined && {
      max_environments:
        maxEnvironments === 'none'
          ? null
          : parseCount('--max-environments', maxEnvironments, 100_000),
    }),
  }
}

async function gitTokenOf({ gitToken }: ConfigureOptions, signal: AbortSignal) {
  if (!gitToken) return {}
  const token = await readStdin('token for the git host (hidden; empty clears it): ', signal)
  return { git_token: token.trim() }
}

/** An older daemon sends no `default_branch`. */
function removalText({ destroy_after: time, default_branch: branch }: Project): string {
  if (time === null) return 'never'
  return `${time} without a request${branch ? `; ${printable(branch)} never` : ''}`
}

function settingLines(project: Project): string[] {
  const { max_environments: limit } = project
  const rows: [string, string][] = [
    ['project', `${project.name} (${project.id})`],
    ['source', project.repo_dir ?? project.repo_url ?? ''],
    ['folder', project.context === '' ? 'root of the repository' : project.context],
    ['paused after', `${project.pause_after} without a request`],
    ['removed after', removalText(project)],
    ['branches', project.branches.length === 0 ? 'all' : project.branches.join(', ')],
    ['ignored', project.ignore.length === 0 ? 'none' : project.ignore.join(', ')],
    ['environments', limit === null ? 'no limit' : `at most ${limit}`],
    ['git token', project.has_git_token ? 'set' : 'none'],
    ['webhook secret', project.has_webhook_secret ? 'its own' : 'of the daemon'],
  ]
  return rows.map(([name, value]) => `${name.padEnd(18)}${value}`)
}
