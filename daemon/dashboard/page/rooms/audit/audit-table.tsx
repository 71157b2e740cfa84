import type { JSX } from 'preact'
import type { AuditEntry, Project } from '../../../../client/contract.ts'
import { Icon } from '../../components/icon.tsx'
import { Name } from '../../components/name.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { kindLooks } from './kind-texts.ts'

/** A table of audit entries. `projects` adds a column with the project and the branch of each entry. */
export function AuditTable({
  label,
  entries,
  projects,
}: {
  label: string
  entries: readonly AuditEntry[]
  projects?: readonly Project[]
}): JSX.Element {
  const names = new Map(projects?.map(({ id, name }) => [id, name]))
  const columns: readonly Column<AuditEntry>[] = [
    { title: 'Event', kind: 'main', cell: ({ kind }) => <Kind kind={kind} /> },
    ...(projects
      ? [{ title: 'Branch', cell: (entry: AuditEntry) => <Subject entry={entry} names={names} /> }]
      : []),
    { title: 'Detail', cell: ({ detail }) => <Detail text={detail} /> },
    { title: 'By', cell: ({ operator }) => <Name>{operator}</Name> },
    { title: 'When', cell: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
  ]
  return (
    <Table
      label={label}
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      version={[...names].join(' ')}
    />
  )
}

function Kind({ kind }: { kind: AuditEntry['kind'] }): JSX.Element {
  const { text, icon, tone } = kindLooks[kind]
  return (
    <span class={tone === undefined ? 'audit-kind' : `audit-kind audit-kind-${tone}`}>
      <Icon name={icon} />
      {text}
    </span>
  )
}

function Subject({
  entry,
  names,
}: {
  entry: AuditEntry
  names: ReadonlyMap<number, string>
}): JSX.Element {
  const { environment_id, project_id, branch } = entry
  if (project_id === null) return <span class="muted">Daemon</span>
  const known = names.get(project_id)
  return (
    <span class="audit-subject">
      {known === undefined ? (
        <span class="muted">{`Project ${project_id}`}</span>
      ) : (
        <a href={`/projects/${project_id}`}>
          <Name>{known}</Name>
        </a>
      )}
      {branch !== null && (
        <>
          <span class="muted"> / </span>
          {environment_id === null ? (
            <Name>{branch}</Name>
          ) : (
            <a href={`/environments/${environment_id}`}>
              <Name>{branch}</Name>
            </a>
          )}
        </>
      )}
    </span>
  )
}

/** The detail of a failed build can have many lines. */
function Detail({ text }: { text: string }): JSX.Element {
  return (
    <span class="audit-detail" title={text.length > 160 ? text : undefined}>
      <Name>{text}</Name>
    </span>
  )
}
