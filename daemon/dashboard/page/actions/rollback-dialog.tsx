import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ResponseError } from '../../../client/errors.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { ErrorNote } from '../components/error-state.tsx'
import { Checkbox } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { Name } from '../components/name.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { api } from '../state/api.ts'
import { useData } from '../state/use-data.ts'
import { counted, shortSha } from '../text/format.ts'
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
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const [accepted, setAccepted] = useState<string | undefined>(undefined)
  // The room of an earlier deploy proposes its own commit.
  const own = commits?.find((commit) => commit.sha === branch.commit_sha)
  const sha = chosen ?? (own ?? commits?.[0])?.sha
  const live = data?.findLast((row) => row.branch.name === branch.name && row.public_port !== null)

  const refused = refusals.find((each) => each.sha === sha)
  const isAccepted = accepted === sha

  async function confirm(): Promise<'ask' | undefined> {
    if (sha === undefined) throw new Error('no earlier commit of this branch has run')
    const target = { projectId, name: branch.name }
    try {
      await rollBack(target, sha, {
        liveSha: live?.branch.commit_sha,
        overMigrations: refused !== undefined && isAccepted,
      })
      return undefined
    } catch (failure) {
      const migrations = migrationsOf(failure)
      if (!migrations) throw failure
      setRefusals((before) => [...before, { sha, migrations }])
      return 'ask'
    }
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
      tone={refused ? 'danger' : 'primary'}
      isAnswered={refused === undefined || isAccepted}
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
      {refused && (
        <OverMigrations
          refusal={refused}
          isAccepted={isAccepted}
          onAccept={(isTicked) => setAccepted(isTicked ? refused.sha : undefined)}
        />
      )}
    </ConfirmDialog>
  )
}

/** Migrations that have run on the data of the branch and that a commit does not contain. */
interface Refusal {
  readonly sha: string
  readonly migrations: readonly string[]
}

/** Returns the migrations that a refused rollback names; undefined if it failed for another reason. */
function migrationsOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof ResponseError) || error.status !== 409) return undefined
  const { migrations } = Object(error.body) as { migrations?: readonly string[] }
  return Array.isArray(migrations) ? migrations : undefined
}

/** Migrations that are shown at once. */
const shownMigrations = 5

/** Says that the data is newer than the commit, and asks whether the commit can read it. */
function OverMigrations({
  refusal: { sha, migrations },
  isAccepted,
  onAccept,
}: {
  refusal: Refusal
  isAccepted: boolean
  onAccept: (isAccepted: boolean) => void
}): JSX.Element {
  const others = migrations.length - shownMigrations
  return (
    <section class="over-migrations" aria-label="Migrations" role="alert">
      <p class="environment-note environment-note-warn">
        <Icon name="warning" />
        <span>
          Nothing was changed: {shortSha(sha)} does not contain migrations that have run on the data
          of this branch. A rollback changes the code and not the data.
        </span>
      </p>
      <ul class="over-migrations-names">
        {migrations.slice(0, shownMigrations).map((name) => (
          <li key={name}>
            <Name mono>{name}</Name>
          </li>
        ))}
        {others > 0 && <li>{`and ${counted(others, 'other')}`}</li>}
      </ul>
      <Checkbox
        label="The older code can read and write this data"
        hint="If it cannot, visitors get errors, or the app writes wrong data. Deploying a commit that undoes the migrations is safer."
        isTicked={isAccepted}
        onChange={onAccept}
      />
    </section>
  )
}
