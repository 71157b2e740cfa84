import type { ComponentType, JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Environment } from '../../../../client/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { useData } from '../../state/use-data.ts'
import { absoluteText, bytesText } from '../../text/format.ts'
import type { UsagePlotProps } from './usage-plot.tsx'
import { highest, type Series, seriesOf } from './usage-series.ts'

const reloadMs = 15_000

/** Memory and processor use of the app in the last two hours, with its limits. */
export function EnvironmentUsage({ environment }: { environment: Environment }): JSX.Element {
  const { id, state } = environment
  const { data, error, reload } = useData(
    `usage/${id}`,
    async (signal) => (await api.call('readUsage', { params: { id } }, { signal })).body,
    ['environments'],
  )
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, reloadMs)
    return () => clearInterval(timer)
  }, [id])
  const code = usePlot()
  const series = useMemo(() => data && seriesOf(data), [data])
  if (code?.kind === 'failed') {
    const why = 'the daemon was upgraded or does not answer: reload the page'
    return <ErrorState error={new Error(why)} onRetry={() => location.reload()} />
  }
  if (!series || !code) {
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
  return (
    <div class="usage">
      <Measure title="Memory" series={series.memory} textOf={bytesText} Plot={code.Plot} />
      <Measure title="Processor" series={series.cpu} textOf={cpuText} Plot={code.Plot} />
      <p class="note">
        Measured every 15 seconds, for the last two hours. A gap means that the app slept.
      </p>
    </div>
  )
}

type Code =
  | { readonly kind: 'loaded'; readonly Plot: ComponentType<UsagePlotProps> }
  | { readonly kind: 'failed' }

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

function Measure({
  title,
  series,
  textOf,
  Plot,
}: {
  title: string
  series: Series
  textOf: (value: number) => string
  Plot: ComponentType<UsagePlotProps>
}): JSX.Element {
  const [pointed, setPointed] = useState<number | undefined>(undefined)
  const at = pointed ?? series.times.length - 1
  const value = series.values[at]
  const shown = value === null || value === undefined ? '–' : textOf(value)
  const most = textOf(highest(series.values))
  const limit = series.limit === null ? 'no limit' : `of ${textOf(series.limit)}`
  const time = series.times[at]
  return (
    <section class="card usage-card" aria-label={title}>
      <div class="usage-head">
        <h2>{title}</h2>
        <p>
          <strong>{shown}</strong> <span class="muted">{limit}</span>
        </p>
        <p class="note usage-time">
          {pointed === undefined || time === undefined
            ? `Highest: ${most}`
            : absoluteText(time * 1000)}
        </p>
      </div>
      <Plot
        series={series}
        label={`${title} over time: now ${shown} ${limit}, highest ${most}`}
        textOf={textOf}
        onPoint={setPointed}
      />
    </section>
  )
}

const cpuFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

function cpuText(value: number): string {
  return `${cpuFormat.format(value)} ${value === 1 ? 'core' : 'cores'}`
}
