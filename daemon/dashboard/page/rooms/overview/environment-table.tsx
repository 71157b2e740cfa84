import type { JSX } from 'preact'
import type { Environment } from '../../../../client/contract.ts'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { shortSha } from '../../text/format.ts'

const columns: readonly Column<Environment>[] = [
  {
    title: 'Branch',
    kind: 'main',
    cell: ({ id, branch }) => (
      <a href={`/environments/${id}`}>
        <Name>{branch.name}</Name>
      </a>
    ),
  },
  { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Commit', cell: ({ branch }) => <code>{shortSha(branch.commit_sha)}</code> },
  { title: 'Last access', cell: (row) => <RelativeTime at={row.last_accessed_at} /> },
]

export function EnvironmentTable({
  environments,
}: {
  environments: readonly Environment[]
}): JSX.Element {
  return (
    <Table label="Live environments" columns={columns} rows={environments} keyOf={({ id }) => id} />
  )
}
