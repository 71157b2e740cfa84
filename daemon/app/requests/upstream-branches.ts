import { withDeadline } from '../../async/with-deadline.ts'
import type { Project } from '../../domain/records.ts'
import type { Clock, Git, Logger } from '../../ports.ts'
import type { GitSources } from '../ground/git-sources.ts'

/** Asks remotes whether a branch exists: a delivery can be old, or sent again by somebody else. */
export interface UpstreamBranches {
  /** Fetches and tells about one branch. `unknown` if the remote does not answer within `answerMs`; never throws. */
  check(project: Project, branch: string): Promise<'exists' | 'absent' | 'unknown'>
}

/** A git host ends a delivery after 10 s. */
const answerMs = 8_000

export function createUpstreamBranches(deps: {
  git: Git
  sources: GitSources
  clock: Clock
  logger: Logger
}): UpstreamBranches {
  const { git, sources, clock, logger } = deps

  async function exists(project: Project, branch: string, signal: AbortSignal): Promise<boolean> {
    const source = sources.of(project)
    await git.fetch(source, signal)
    return (await git.head(source, branch)) !== undefined
  }

  return {
    async check(project, branch) {
      const late = new AbortController()
      const fields = { projectId: project.id, branch }
      try {
        const answer = exists(project, branch, late.signal)
        const found = await withDeadline(answer, { clock, ms: answerMs })
        if (found !== 'late') return found ? 'exists' : 'absent'
        answer.catch(() => undefined)
        late.abort(new Error('the remote did not answer in time'))
        logger.warn(fields, 'kept a branch: its remote did not confirm the deletion in time')
      } catch (err) {
        logger.warn({ err, ...fields }, 'kept a branch: its remote did not confirm the deletion')
      }
      return 'unknown'
    },
  }
}
