import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Environment } from '../../../../client/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { useReload } from '../../state/use-reload.ts'
import { bytesText, counted } from '../../text/format.ts'
import { cpuText, Measure, type Plot } from './measure.tsx'
import { highest } from './usage-series.ts'
import { weekSeriesOf } from './week-series.ts'

const reloadMs = 60_000

/** Requests, errors, latency and use of a branch in the last seven days. */
export function WeekUsage({
  environment: { id },
  Plot,
}: {
  environment: Environment
  Plot: Plot
}): JSX.Element {
  const { data, error, reload } = useData(
    `usage-week/${id}`,
    async (signal) => (await api.call('readUsageWeek', { params: { id } }, { signal })).body,
    ['environments'],
  )
  useReload(reload, reloadMs)
  const week = useMemo(() => data && weekSeriesOf(data), [data])
  if (!week) {
    if (error !== undefined) return <ErrorState error={error} onRetry={reload} />
    return <Skeleton kind="rows" rows={5} />
  }
  if (week.requests.times.length === 0) {
    return (
      <EmptyState icon="clock" title="Nothing is measured yet">
        The first figures need a request, or an app that runs.
      </EmptyState>
    )
  }
  const { requests, errors } = week.totals
  const { latency } = week
  return (
    <div class="usage">
      <Measure
        title="Requests"
        series={week.requests}
        textOf={countText}
        summary={`${counted(requests, 'request')}, ${counted(errors, 'error')}`}
        keys={['Requests', 'Errors']}
        secondTone="bad"
        Plot={Plot}
      />
      <Measure
        title="Latency"
        series={latency}
        textOf={latencyText}
        summary={`Highest p95: ${latencyText(highest(latency.second ?? []))}`}
        keys={['p50', 'p95']}
        secondTone="warn"
        Plot={Plot}
      />
      <Measure
        title="Memory"
        series={week.memory}
        textOf={bytesText}
        summary={`Highest: ${bytesText(highest(week.memory.values))}`}
        Plot={Plot}
      />
      <Measure
        title="Processor"
        series={week.cpu}
        textOf={cpuText}
        summary={`Highest: ${cpuText(highest(week.cpu.values))}`}
        Plot={Plot}
      />
      <p class="note">
        In slots of 15 minutes, over all deploys of the branch. An error is an answer with a status
        of 500 or above. Half of the answers came within p50, and 95 of 100 within p95.
      </p>
    </div>
  )
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function countText(value: number): string {
  return compact.format(value)
}

function latencyText(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`
}
