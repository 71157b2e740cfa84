import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Environment, Project } from '../../../../client/contract.ts'
import type { EnvironmentActions } from '../../actions/environment-actions.tsx'
import { AddressLink } from '../../components/address-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Icon } from '../../components/icon.tsx'
import { MemoryUse } from '../../components/memory-use.tsx'
import { Menu } from '../../components/menu.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { counted, shortSha } from '../../text/format.ts'
import { matches } from './matches.ts'

/** All live environments with a search field. */
export function LiveEnvironments({
  environments,
  projects,
  actions,
}: {
  environments: readonly Environment[]
  projects: ReadonlyMap<number, Project>
  actions: EnvironmentActions
}): JSX.Element {
  const [search, setSearch] = useState('')
  const columns = useMemo(() => columnsOf(projects, actions), [projects, actions])
  const nameOf = (row: Environment) => projects.get(row.project_id)?.name ?? ''
  const shown = environments.filter((row) => matches(search, row, nameOf(row)))
  return (
    <section class="section" aria-labelledby="live-title">
      <div class="section-head">
        <h2 id="live-title">
          Live environments <span class="count">{environments.length}</span>
        </h2>
        <div class="search">
          <Icon name="search" />
          <input
            type="search"
            class="input"
            aria-label="Search environments"
            placeholder="Branch, project, state or commit"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <span class="visually-hidden" role="status">
            {search === '' ? '' : `${counted(shown.length, 'environment')} found`}
          </span>
        </div>
      </div>
      {shown.length > 0 ? (
        <Table
          label="Live environments"
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
          version={versionOf(projects)}
        />
      ) : environments.length > 0 ? (
        <EmptyState icon="search" title="No environment matches your search" />
      ) : (
        <EmptyState icon="environment" title="Nothing is live yet">
          <p>Push a branch of a registered project, or deploy one from its room.</p>
          <p>
            <a href="/projects">Go to the projects</a>
          </p>
        </EmptyState>
      )}
    </section>
  )
}

function versionOf(projects: ReadonlyMap<number, Project>): string {
  return [...projects.values()].map(({ id, name }) => `${id} ${name}`).join('\n')
}

function columnsOf(
  projects: ReadonlyMap<number, Project>,
  actions: EnvironmentActions,
): readonly Column<Environment>[] {
  return [
    {
      title: 'Branch',
      kind: 'main',
      cell: ({ id, branch, project_id: projectId }) => (
        <div class="two-lines">
          <a href={`/environments/${id}`}>
            <Name>{branch.name}</Name>
          </a>
          <a href={`/projects/${projectId}`} class="note">
            <Name>{projects.get(projectId)?.name ?? `project ${projectId}`}</Name>
          </a>
        </div>
      ),
    },
    {
      title: 'State',
      cell: ({ state, reason }) => (
        <span title={reason ?? undefined}>
          <StateBadge state={state} />
        </span>
      ),
    },
    { title: 'Address', cell: (row) => <AddressLink environment={row} /> },
    {
      title: 'Commit',
      cell: ({ branch }) => <code class="sha">{shortSha(branch.commit_sha)}</code>,
    },
    { title: 'Memory', cell: ({ id }) => <MemoryUse environmentId={id} /> },
    { title: 'Last access', cell: (row) => <RelativeTime at={row.last_accessed_at} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (row) => (
        <Menu label={`Actions for ${row.branch.name}`} items={() => actions.itemsOf(row)} />
      ),
    },
  ]
}
