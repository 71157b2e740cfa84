import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Environment, Project } from '../../../../client/contract.ts'
import {
  type EnvironmentActions,
  useEnvironmentActions,
} from '../../actions/environment-actions.tsx'
import { AddressLink } from '../../components/address-link.tsx'
import { Button } from '../../components/button.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Menu } from '../../components/menu.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Badge, StateBadge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { roleNeed } from '../../state/rights.ts'
import type { Loaded } from '../../state/use-data.ts'
import { counted, shortSha } from '../../text/format.ts'
import { hostedUrl } from '../../text/source.ts'
import type { BranchRow } from './branches-of.ts'
import { DeployBranchDialog } from './deploy-branch-dialog.tsx'

/** The branches of a project that have been deployed, with their actions. */
export function Branches({
  project,
  branches,
  rows,
}: {
  project: Project
  branches: readonly BranchRow[]
  rows: Loaded<readonly Environment[]>
}): JSX.Element {
  const [isDeploying, setDeploying] = useState(false)
  const [showsDestroyed, setShowsDestroyed] = useState(false)
  const [actions, dialog] = useEnvironmentActions(() => project)
  const columns = useMemo(
    () => columnsOf(actions, project.default_branch),
    [actions, project.default_branch],
  )
  const isGone = ({ live, newest }: BranchRow) => !live && newest.state === 'destroyed'
  const gone = branches.filter(isGone).length
  const shown = showsDestroyed ? branches : branches.filter((branch) => !isGone(branch))
  return (
    <>
      <div class="panel-actions">
        <Button
          icon="deploys"
          tone="primary"
          needs={roleNeed('developer', project.id)}
          onClick={() => setDeploying(true)}
        >
          Deploy a branch
        </Button>
      </div>
      {rows.data === undefined ? (
        rows.error === undefined ? (
          <Skeleton kind="rows" rows={4} />
        ) : (
          <ErrorState error={rows.error} onRetry={rows.reload} />
        )
      ) : shown.length > 0 ? (
        <Table
          label="Branches"
          columns={columns}
          rows={shown}
          keyOf={({ name }) => name}
          version={`${project.default_branch}`}
        />
      ) : (
        <NoBranch project={project} />
      )}
      {gone > 0 && (
        <p class="after-table">
          <Button tone="quiet" onClick={() => setShowsDestroyed(!showsDestroyed)}>
            {showsDestroyed
              ? 'Hide destroyed branches'
              : `Show ${counted(gone, 'destroyed branch', 'destroyed branches')}`}
          </Button>
        </p>
      )}
      {isDeploying && (
        <DeployBranchDialog
          project={project}
          branches={branches.map(({ name }) => name)}
          onClose={() => setDeploying(false)}
        />
      )}
      {dialog}
    </>
  )
}

function NoBranch({ project: { hosted } }: { project: Project }): JSX.Element {
  if (hosted === null) {
    return (
      <EmptyState icon="branch" title="No branch is live">
        <p>Deploy a branch, or push to the repository after you have added a webhook.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="branch" title="No branch is live">
      <p>Push a branch: it is built and deployed, and the output of git shows the progress.</p>
      <CopyLine
        label="the first command"
        text={`git remote add strata ${hostedUrl(hosted, location.origin)}`}
      />
      <CopyLine label="the second command" text="git push strata main" />
      <p class="note">Git asks for a user name, which can be any, and a password: an API token.</p>
    </EmptyState>
  )
}

function columnsOf(
  actions: EnvironmentActions,
  defaultBranch: string | null,
): readonly Column<BranchRow>[] {
  return [
    {
      title: 'Branch',
      kind: 'main',
      cell: ({ name, live, newest }) => (
        <div class="two-lines">
          <span class="row">
            <a href={`/environments/${(live ?? newest).id}`}>
              <Name>{name}</Name>
            </a>
            {name === defaultBranch && <Badge tone="rest" text="default" mark="none" />}
          </span>
          {live && newest.state === 'build_failed' && (
            <a class="note note-bad" href={`/environments/${newest.id}`}>
              The last deploy failed. This version keeps serving.
            </a>
          )}
          {live && newest.state === 'building' && (
            <a class="note" href={`/environments/${newest.id}`}>
              A new version is building.
            </a>
          )}
        </div>
      ),
    },
    {
      title: 'State',
      cell: ({ live, newest }) => <StateBadge state={(live ?? newest).state} />,
    },
    { title: 'Address', cell: ({ live, newest }) => <AddressLink environment={live ?? newest} /> },
    {
      title: 'Commit',
      cell: ({ live, newest }) => (
        <code class="sha">{shortSha((live ?? newest).branch.commit_sha)}</code>
      ),
    },
    {
      title: 'Last access',
      cell: ({ live }) => (live ? <RelativeTime at={live.last_accessed_at} /> : '–'),
    },
    {
      title: 'Expires',
      cell: ({ live }) => {
        if (!live) return '–'
        return live.expires_at ? (
          <RelativeTime at={live.expires_at} />
        ) : (
          <span class="muted">never</span>
        )
      },
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ name, live, newest }) => (
        <Menu label={`Actions for ${name}`} items={() => actions.itemsOf(live ?? newest)} />
      ),
    },
  ]
}
