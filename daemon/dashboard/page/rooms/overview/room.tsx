import type { JSX } from 'preact'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { EnvironmentTable } from './environment-table.tsx'

/** All live environments. */
export function Room(): JSX.Element {
  const { data, error, reload } = useData(
    'environments',
    async (signal) => (await api.call('listLiveEnvironments', {}, { signal })).body,
    ['environments'],
  )
  return (
    <>
      <PageHeader title="Overview" />
      {data ? (
        <EnvironmentTable environments={data} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={6} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </>
  )
}
