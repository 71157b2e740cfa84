import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { deploy as deployBranch, undo } from '../../actions/requests.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNote, ErrorState } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { asSentence } from '../../text/error-text.ts'
import { shortSha } from '../../text/format.ts'
import { AuditTable } from '../audit/audit-table.tsx'
import {
  type DeploysData,
  type RunningDeploy,
  readDeploys,
  type WaitingDeploy,
} from './read-deploys.ts'

/** The deploys of all projects: running, waiting, and finished. */
export function Room(): JSX.Element {
  const { data, error, reload } = useData('deploys', readDeploys, [
    'queue',
    'environments',
    'audit',
    'projects',
  ])
  return (
    <>
      <PageHeader title="Deploys" />
      {data ? (
        <>
          {error !== undefined && <ErrorNote error={error} />}
          <ShownDeploys {...data} />
        </>
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={6} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </>
  )
}

function ShownDeploys({ running, waiting, recent, projects }: DeploysData): JSX.Element {
  const [removed, setRemoved] = useState<WaitingDeploy | undefined>(undefined)
  return (
    <>
      <Section title="Now">
        {running.length === 0 ? (
          <p class="deploys-none">Nothing is being deployed.</p>
        ) : (
          <Table
            label="Running deploys"
            columns={runningColumns}
            rows={running}
            keyOf={({ id }) => id}
          />
        )}
      </Section>
      <Section title="Waiting">
        {waiting.length === 0 ? (
          <p class="deploys-none">The queue is empty.</p>
        ) : (
          <Table
            label="Waiting deploys"
            columns={waitingColumns(setRemoved)}
            rows={waiting}
            keyOf={({ id }) => id}
          />
        )}
      </Section>
      <Section title="Finished">
        {recent.length === 0 ? (
          <EmptyState icon="deploys" title="No deploy has finished yet">
            <p>
              Push a branch, or run <code>strata up</code> in a repository.
            </p>
          </EmptyState>
        ) : (
          <>
            <AuditTable label="Finished deploys" entries={recent} projects={projects} />
            <p class="note audit-more">
              Older deploys are in the <a href="/audit?kind=build_succeeded">audit</a>.
            </p>
          </>
        )}
      </Section>
      {removed && <RemoveDialog deploy={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

const runningColumns: readonly Column<RunningDeploy>[] = [
  { title: 'Branch', kind: 'main', cell: (deploy) => <Subject {...deploy} /> },
  {
    title: 'Commit',
    cell: ({ entry, environment }) => (
      <Commit sha={environment?.branch.commit_sha ?? entry.commit_sha} />
    ),
  },
  { title: 'By', cell: ({ entry }) => <Name>{entry.operator}</Name> },
  { title: 'Requested', cell: ({ entry }) => <RelativeTime at={entry.requested_at} /> },
  {
    title: 'Output',
    cell: ({ environment }) =>
      environment ? (
        <a href={`/environments/${environment.id}?tab=build`}>Build output</a>
      ) : (
        <span class="muted">Fetching the commit</span>
      ),
  },
]

function waitingColumns(
  onRemove: (deploy: WaitingDeploy) => void,
): readonly Column<WaitingDeploy>[] {
  return [
    { title: 'Branch', kind: 'main', cell: (deploy) => <Subject {...deploy} /> },
    { title: 'Position', cell: ({ position }) => position },
    { title: 'Commit', cell: ({ entry }) => <Commit sha={entry.commit_sha} /> },
    { title: 'By', cell: ({ entry }) => <Name>{entry.operator}</Name> },
    { title: 'Requested', cell: ({ entry }) => <RelativeTime at={entry.requested_at} /> },
    {
      title: 'Why it waits',
      cell: ({ entry }) => <Wait reason={entry.reason} attempts={entry.attempts} />,
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (deploy) => (
        <Button
          tone="quiet"
          icon="cross"
          needs={roleNeed('developer', deploy.entry.project_id)}
          onClick={() => onRemove(deploy)}
        >
          Remove
        </Button>
      ),
    },
  ]
}

function Subject({ entry, project }: Pick<WaitingDeploy, 'entry' | 'project'>): JSX.Element {
  return (
    <span class="audit-subject">
      <a href={`/projects/${entry.project_id}`}>
        <Name>{project?.name ?? `Project ${entry.project_id}`}</Name>
      </a>
      <span class="muted"> / </span>
      <Name>{entry.branch}</Name>
    </span>
  )
}

function Commit({ sha }: { sha: string | null }): JSX.Element {
  if (sha === null) return <span class="muted">Newest</span>
  return <code title={sha}>{shortSha(sha)}</code>
}

function Wait({ reason, attempts }: { reason: string | null; attempts: number }): JSX.Element {
  if (reason === null) return <span class="muted">For its turn</span>
  return (
    <span class="audit-detail">
      {attempts > 0 && `Attempt ${attempts} failed: `}
      <Name>{asSentence(reason)}</Name>
    </span>
  )
}

function RemoveDialog({
  deploy: { id, entry },
  onClose,
}: {
  deploy: WaitingDeploy
  onClose: () => void
}): JSX.Element {
  return (
    <ConfirmDialog
      title="Remove the deploy from the queue"
      tone="danger"
      effects={[
        <>
          The waiting deploy of <Name>{entry.branch}</Name> is not done.
        </>,
        'What serves the branch now goes on. The next push to the branch is deployed again.',
      ]}
      verb="Remove"
      onConfirm={async () => {
        await api.call('removeQueueEntry', { params: { id } })
        reportChange('queue')
        const branch = { projectId: entry.project_id, name: entry.branch }
        showToast(`Removed the deploy of ${entry.branch}`, {
          tone: 'good',
          action: undo(() => deployBranch(branch)),
        })
      }}
      onClose={onClose}
    />
  )
}
