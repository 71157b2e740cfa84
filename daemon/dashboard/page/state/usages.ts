import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Usage } from '../../../client/contract.ts'
import { api } from './api.ts'
import { useData } from './use-data.ts'

/** The newest measurement of each running environment, by its id. */
export const usages = signal<ReadonlyMap<number, Usage>>(new Map())

/** Keeps `usages` up to date while the calling room is open. */
export function useUsages(): void {
  const { data } = useData(
    'usage',
    async (signal) => (await api.call('listUsage', {}, { signal })).body,
    ['stats'],
  )
  useEffect(() => {
    usages.value = new Map((data ?? []).map((usage) => [usage.environment_id, usage]))
  }, [data])
}
