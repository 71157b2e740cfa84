import type { ComponentType, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { absoluteText } from '../../text/format.ts'
import type { UsagePlotProps } from './usage-plot.tsx'
import type { Series } from './usage-series.ts'

export type Plot = ComponentType<UsagePlotProps>

export interface MeasureProps {
  readonly title: string
  readonly series: Series
  /** Returns a value with its unit. */
  readonly textOf: (value: number) => string
  /** Says the most important in words while nothing is pointed at. */
  readonly summary: string
  /** Names of both lines; absent if there is one. */
  readonly keys?: readonly [string, string]
  readonly secondTone?: 'bad' | 'warn'
  readonly Plot: Plot
}

/** A plot below the newest value, or below the value that a person points at. */
export function Measure(props: MeasureProps): JSX.Element {
  const { title, series, textOf, summary, keys, secondTone = 'warn', Plot } = props
  const [pointed, setPointed] = useState<number | undefined>(undefined)
  const at = pointed ?? series.times.length - 1
  const shownOf = (values: Series['values'] = []) => {
    const value = values[at]
    return value === null || value === undefined ? '–' : textOf(value)
  }
  const shown = shownOf(series.values)
  const limit = limitText(series.limit, textOf)
  const time = series.times[at]
  const label = keys
    ? `${title} over time: ${summary}`
    : `${title} over time: now ${shown}${limit}, ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
  return (
    <section class="card usage-card" aria-label={title}>
      <div class="usage-head">
        <h2>{title}</h2>
        {keys ? (
          <p class="usage-keys">
            <span class="usage-key">{keys[0]}</span> <strong>{shown}</strong>
            <span class={`usage-key usage-key-${secondTone}`}>{keys[1]}</span>{' '}
            <strong>{shownOf(series.second)}</strong>
          </p>
        ) : (
          <p>
            <strong>{shown}</strong>
            <span class="muted">{limit}</span>
          </p>
        )}
        <p class="note usage-time">
          {pointed === undefined || time === undefined ? summary : absoluteText(time * 1000)}
        </p>
      </div>
      <Plot
        series={series}
        secondTone={secondTone}
        label={label}
        textOf={textOf}
        onPoint={setPointed}
      />
    </section>
  )
}

function limitText(limit: Series['limit'], textOf: (value: number) => string): string {
  if (limit === undefined) return ''
  return limit === null ? ' no limit' : ` of ${textOf(limit)}`
}

const cpuFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

export function cpuText(value: number): string {
  return `${cpuFormat.format(value)} ${value === 1 ? 'core' : 'cores'}`
}
