import type { JSX } from 'preact'
import type { Project, TrashEntry } from '../../../../client/contract.ts'
import { Menu } from '../../components/menu.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { type Need, roleNeed } from '../../state/rights.ts'
import { bytesText } from '../../text/format.ts'

const reasons: Readonly<Record<TrashEntry['reason'], string>> = {
  destroyed: 'destroyed',
  expired: 'nobody used it',
  branch_deleted: 'the branch was deleted',
  project_deleted: 'the project was deleted',
}

export function TrashTable({
  entries,
  projects,
  onAction,
}: {
  entries: readonly TrashEntry[]
  projects: readonly Project[]
  onAction: (action: 'restore' | 'purge', entry: TrashEntry) => void
}): JSX.Element {
  const known = new Set(projects.map(({ id }) => id))
  const columns: readonly Column<TrashEntry>[] = [
    { title: 'Branch', kind: 'main', cell: ({ branch }) => <Name>{branch}</Name> },
    {
      title: 'Project',
      cell: ({ project_id: id, project }) =>
        known.has(id) ? (
          <a href={`/projects/${id}`}>
            <Name>{project}</Name>
          </a>
        ) : (
          <div>
            <Name>{project}</Name>
            <p class="note">deleted</p>
          </div>
        ),
    },
    {
      title: 'Size',
      cell: ({ size_bytes: bytes }) => (bytes === null ? 'unknown' : bytesText(bytes)),
    },
    {
      title: 'Since',
      cell: ({ trashed_at, operator, reason }) => (
        <div>
          <RelativeTime at={trashed_at} />
          <p class="note">
            {reasons[reason]}, by <Name>{operator}</Name>
          </p>
        </div>
      ),
    },
    { title: 'Expires', cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (entry) => {
        const needs = needOf(entry, known)
        return (
          <Menu
            label={`Actions of the data of ${entry.branch} in ${entry.project}`}
            items={[
              {
                text: 'Restore',
                icon: 'rollback',
                needs,
                onSelect: () => onAction('restore', entry),
              },
              {
                text: 'Delete for good',
                icon: 'trash',
                tone: 'danger',
                needs,
                onSelect: () => onAction('purge', entry),
              },
            ]}
          />
        )
      },
    },
  ]
  return (
    <Table
      label="Data in the trash"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      version={[...known].join()}
    />
  )
}

/** The data of a deleted project belongs to no project that a token could be limited to. */
function needOf({ project_id: id }: TrashEntry, known: ReadonlySet<number>): Need {
  return known.has(id) ? roleNeed('maintainer', id) : roleNeed('admin')
}
