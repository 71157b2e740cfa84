import type { JSX } from 'preact'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { AuditTable } from '../audit/audit-table.tsx'

const shownEntries = 200

/** The newest audit entries of an environment. */
export function EnvironmentAudit({ id }: { id: number }): JSX.Element {
  const { data, error, reload } = useData(
    `environment-audit/${id}`,
    async (signal) => {
      const input = { params: { id }, query: { limit: shownEntries } }
      return (await api.call('listEnvironmentAudit', input, { signal })).body
    },
    ['audit', 'environments'],
  )
  if (!data) {
    if (error !== undefined) return <ErrorState error={error} onRetry={reload} />
    return <Skeleton kind="rows" rows={4} />
  }
  if (data.length === 0) {
    return <EmptyState icon="audit" title="Nothing has happened to this environment yet" />
  }
  return (
    <>
      <AuditTable label="Audit of the environment" entries={data} />
      {data.length === shownEntries && (
        <p class="note audit-more">
          These are the newest {shownEntries} entries. <a href="/audit">Search all of them</a>.
        </p>
      )}
    </>
  )
}
