import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { address, navigate, setQueryValue } from '../../state/router.ts'
import { useData } from '../../state/use-data.ts'
import { AuditFilterFields } from './audit-filters.tsx'
import { type AuditFilters, cursorText, filtersOf, pageOf, requestOf } from './audit-query.ts'
import { AuditTable } from './audit-table.tsx'

/** The audit entries of all projects, newest first. The address holds the filters, so that it can be sent to others. */
export function Room(): JSX.Element {
  const filters = filtersOf(address.value.query)
  const query = requestOf(filters)
  const { data, error, reload } = useData(
    `audit/${JSON.stringify(query)}`,
    async (signal) => {
      const [entries, projects] = await Promise.all([
        api.call('listAudit', { query }, { signal }),
        api.call('listProjects', {}, { signal }),
      ])
      return { entries: entries.body, projects: projects.body }
    },
    ['audit', 'projects'],
  )
  return (
    <>
      <PageHeader title="Audit">
        <span>All changes: what was done, when, and by whom.</span>
      </PageHeader>
      <AuditFilterFields filters={filters} projects={data?.projects ?? []} />
      {data ? (
        <AuditPage filters={filters} {...data} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={8} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </>
  )
}

function AuditPage({
  filters,
  entries: answered,
  projects,
}: {
  filters: AuditFilters
  entries: Parameters<typeof pageOf>[0]
  projects: NonNullable<Parameters<typeof AuditTable>[0]['projects']>
}): JSX.Element {
  const { entries, next } = pageOf(answered, filters.before)
  if (entries.length === 0) return <NoEntries filters={filters} />
  return (
    <>
      <AuditTable label="Audit entries" entries={entries} projects={projects} />
      <div class="audit-pages">
        {filters.before ? (
          <Button onClick={() => setQueryValue('before', undefined)}>Newest entries</Button>
        ) : (
          <span />
        )}
        {next && (
          <Button onClick={() => openPage(cursorText(next))} icon="right">
            Older entries
          </Button>
        )}
      </div>
    </>
  )
}

/** A page is an entry of the history: the back button leads to the newer entries. */
function openPage(before: string): void {
  const url = new URL(location.href)
  url.searchParams.set('before', before)
  navigate(url.pathname + url.search)
  window.scrollTo(0, 0)
}

function NoEntries({ filters }: { filters: AuditFilters }): JSX.Element {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  if (!isFiltered) return <EmptyState icon="audit" title="Nothing has happened yet" />
  return (
    <EmptyState
      icon="search"
      title="No entry matches the filters"
      actions={<Button onClick={() => navigate('/audit')}>Clear the filters</Button>}
    />
  )
}
