import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Environment } from '../../../../client/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { queryValue, setQueryValue } from '../../state/router.ts'
import { useData } from '../../state/use-data.ts'
import { useReload } from '../../state/use-reload.ts'
import { bytesText } from '../../text/format.ts'
import { cpuText, Measure, type Plot } from './measure.tsx'
import { highest, seriesOf } from './usage-series.ts'
import { WeekUsage } from './week-usage.tsx'

const reloadMs = 15_000

const ranges = [
  { id: 'hours', text: 'Two hours' },
  { id: 'week', text: 'Seven days' },
] as const

/** The use of the app in the last two hours, or of its branch in the last seven days. */
export function EnvironmentUsage({ environment }: { environment: Environment }): JSX.Element {
  const code = usePlot()
  const asked = queryValue('range')
  const range = ranges.find(({ id }) => id === asked)?.id ?? 'hours'
  return (
    <>
      <fieldset class="switch">
        <legend class="visually-hidden">Time</legend>
        {ranges.map(({ id, text }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === range}
            onClick={() => setQueryValue('range', id === 'hours' ? undefined : id)}
          >
            {text}
          </button>
        ))}
      </fieldset>
      <ShownUsage environment={environment} code={code} range={range} />
    </>
  )
}

function ShownUsage({
  environment,
  code,
  range,
}: {
  environment: Environment
  code: Code | undefined
  range: 'hours' | 'week'
}): JSX.Element {
  if (code?.kind === 'failed') {
    const why = 'the daemon was upgraded or does not answer: reload the page'
    return <ErrorState error={new Error(why)} onRetry={() => location.reload()} />
  }
  if (!code) return <Skeleton kind="rows" rows={5} />
  const Shown = range === 'week' ? WeekUsage : RecentUsage
  return <Shown key={environment.id} environment={environment} Plot={code.Plot} />
}

/** Memory and processor use of the app in the last two hours, with its limits. */
function RecentUsage({
  environment: { id, state },
  Plot,
}: {
  environment: Environment
  Plot: Plot
}): JSX.Element {
  const { data, error, reload } = useData(
    `usage/${id}`,
    async (signal) => (await api.call('readUsage', { params: { id } }, { signal })).body,
    ['environments'],
  )
  useReload(reload, reloadMs)
  const series = useMemo(() => data && seriesOf(data), [data])
  if (!series) {
    if (error !== undefined) return <ErrorState error={error} onRetry={reload} />
    return <Skeleton kind="rows" rows={5} />
  }
  if (series.memory.times.length === 0) {
    return (
      <EmptyState icon="clock" title="No measurements yet">
        <p>
          {state === 'running'
            ? 'The daemon measures a running app every 15 seconds.'
            : 'The daemon measures an app while it runs, and keeps the last two hours.'}
        </p>
      </EmptyState>
    )
  }
  const { memory, cpu } = series
  return (
    <div class="usage">
      <Measure
        title="Memory"
        series={memory}
        textOf={bytesText}
        summary={`Highest: ${bytesText(highest(memory.values))}`}
        Plot={Plot}
      />
      <Measure
        title="Processor"
        series={cpu}
        textOf={cpuText}
        summary={`Highest: ${cpuText(highest(cpu.values))}`}
        Plot={Plot}
      />
      <p class="note">
        Measured every 15 seconds, for the last two hours. A gap means that the app slept.
      </p>
    </div>
  )
}

type Code = { readonly kind: 'loaded'; readonly Plot: Plot } | { readonly kind: 'failed' }

/** Loads the plot library when the first plot is shown. */
function usePlot(): Code | undefined {
  const [code, setCode] = useState<Code | undefined>(undefined)
  useEffect(() => {
    import('./usage-plot.tsx').then(
      ({ UsagePlot }) => setCode({ kind: 'loaded', Plot: UsagePlot }),
      () => setCode({ kind: 'failed' }),
    )
  }, [])
  return code
}
