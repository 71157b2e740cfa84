import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { ErrorNote } from '../components/error-state.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { api } from '../state/api.ts'
import { useData } from '../state/use-data.ts'
import { shortSha } from '../text/format.ts'
import { visible } from '../text/visible.ts'
import type { ActionDialogProps } from './dialog-props.ts'
import { earlierCommits } from './earlier-commits.ts'
import { rollBack } from './requests.ts'

/** Shows the earlier commits of a branch, and deploys the chosen one again. */
export function RollbackDialog({ environment, onClose }: ActionDialogProps): JSX.Element {
  const { project_id: projectId, branch } = environment
  const { data, error } = useData(
    `rows/${projectId}`,
    async (signal) =>
      (await api.call('listProjectEnvironments', { params: { id: projectId } }, { signal })).body,
    ['environments'],
  )
  const commits = data && earlierCommits(data, branch.name)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  // The room of an earlier deploy proposes its own commit.
  const own = commits?.find((commit) => commit.sha === branch.commit_sha)
  const sha = chosen ?? (own ?? commits?.[0])?.sha
  const live = data?.findLast((row) => row.branch.name === branch.name && row.public_port !== null)

  async function confirm(): Promise<void> {
    if (sha === undefined) throw new Error('no earlier commit of this branch has run')
    await rollBack({ projectId, name: branch.name }, sha, live?.branch.commit_sha)
  }

  return (
    <ConfirmDialog
      title={`Roll back ${visible(branch.name)}?`}
      effects={[
        'The daemon starts the chosen commit again. The current version serves until that one is healthy.',
        'The data of the branch stays as it is: the earlier commit must be able to read it.',
        'A later push deploys the newest commit again.',
      ]}
      verb={sha === undefined ? 'Roll back' : `Roll back to ${shortSha(sha)}`}
      onConfirm={confirm}
      onClose={onClose}
    >
      {error !== undefined && <ErrorNote error={error} />}
      {!commits && error === undefined && <Skeleton rows={3} />}
      {commits?.length === 0 && <p class="muted">No earlier commit of this branch has run.</p>}
      {commits && commits.length > 0 && (
        <fieldset class="choices">
          <legend class="visually-hidden">Commit</legend>
          {commits.map((commit) => (
            <label key={commit.sha} class="choice">
              <input
                type="radio"
                name="commit"
                checked={commit.sha === sha}
                onChange={() => setChosen(commit.sha)}
              />
              <code class="sha">{shortSha(commit.sha)}</code>
              <span class="muted">
                deployed <RelativeTime at={commit.at} />
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
