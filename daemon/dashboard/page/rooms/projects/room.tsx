import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Environment, Project } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState, StaleNote } from '../../components/error-state.tsx'
import { Name } from '../../components/name.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { useLiveEnvironments, useProjects } from '../../state/lists.ts'
import { roleNeed } from '../../state/rights.ts'
import { counted } from '../../text/format.ts'
import { sourceOf } from '../../text/source.ts'
import { RegisterDialog } from './register-dialog.tsx'

/** The list of projects. */
export function Room(): JSX.Element {
  const projects = useProjects()
  const environments = useLiveEnvironments()
  const [isOpen, setOpen] = useState(false)
  const counts = useMemo(() => countByProject(environments.data ?? []), [environments.data])
  const columns = useMemo(() => columnsOf(counts), [counts])
  const register = (
    <Button icon="plus" tone="primary" needs={roleNeed('admin')} onClick={() => setOpen(true)}>
      Register a project
    </Button>
  )
  return (
    <>
      <PageHeader title="Projects" actions={register} />
      {projects.data && <StaleNote error={projects.error} />}
      {projects.data?.length === 0 ? (
        <EmptyState icon="projects" title="No project yet">
          <p>Register a repository here, or run “strata up” in its folder.</p>
        </EmptyState>
      ) : projects.data ? (
        <Table
          label="Projects"
          columns={columns}
          rows={projects.data}
          keyOf={({ id }) => id}
          version={[...counts].join()}
        />
      ) : projects.error === undefined ? (
        <Skeleton kind="rows" rows={4} />
      ) : (
        <ErrorState error={projects.error} onRetry={projects.reload} />
      )}
      {isOpen && <RegisterDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function countByProject(environments: readonly Environment[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { project_id: id } of environments) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

function columnsOf(counts: ReadonlyMap<number, number>): readonly Column<Project>[] {
  return [
    {
      title: 'Project',
      kind: 'main',
      cell: ({ id, name, context }) => (
        <div class="two-lines">
          <a href={`/projects/${id}`}>
            <Name>{name}</Name>
          </a>
          {context !== '' && (
            <span class="note">
              <Name>{context}</Name>
            </span>
          )}
        </div>
      ),
    },
    {
      title: 'Repository',
      cell: (project) => <Name mono>{sourceOf(project, location.origin)}</Name>,
    },
    {
      title: 'Live',
      cell: ({ id }) => counted(counts.get(id) ?? 0, 'branch', 'branches'),
    },
    { title: 'Sleeps after', cell: ({ pause_after: after }) => after },
    { title: 'Registered', cell: (row) => <RelativeTime at={row.created_at} /> },
  ]
}
