import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { theme } from '../../state/theme.ts'
import type { Series } from './usage-series.ts'

export interface UsagePlotProps {
  readonly series: Series
  /** Says the same in words, for screen readers. */
  readonly label: string
  /** Returns a value with its unit. */
  readonly textOf: (value: number) => string
  /** Called with the sample below the pointer, and with undefined when the pointer leaves. */
  readonly onPoint: (index: number | undefined) => void
}

const height = 148
/** The least time that the plot spans, in seconds. */
const leastSpan = 900

/** A line over time with the limit as the upper end of the scale. */
export function UsagePlot({ series, label, textOf, onPoint }: UsagePlotProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | undefined>(undefined)
  const latest = useRef(series)
  latest.current = series
  const chosenTheme = theme.value

  useEffect(() => {
    const element = place.current
    if (!element) return
    const created = new UPlot(
      optionsOf(element, textOf, () => latest.current, onPoint),
      dataOf(series),
      element,
    )
    plot.current = created
    const observer = new ResizeObserver(() =>
      created.setSize({ width: element.clientWidth, height }),
    )
    observer.observe(element)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => created.redraw()
    system.addEventListener('change', redraw)
    return () => {
      system.removeEventListener('change', redraw)
      observer.disconnect()
      created.destroy()
    }
  }, [])
  useEffect(() => plot.current?.setData(dataOf(series)), [series])
  useEffect(() => plot.current?.redraw(), [chosenTheme])

  return <div ref={place} class="usage-plot" role="img" aria-label={label} />
}

function dataOf({ times, values }: Series): UPlot.AlignedData {
  return [[...times], [...values]]
}

function optionsOf(
  element: HTMLElement,
  textOf: (value: number) => string,
  latest: () => Series,
  onPoint: (index: number | undefined) => void,
): UPlot.Options {
  // A canvas takes no variables of CSS: the element carries the colors of the theme as computed styles.
  const color = (property: 'color' | 'borderTopColor' | 'outlineColor' | 'caretColor') => () =>
    getComputedStyle(element)[property]
  const axis = {
    stroke: color('outlineColor'),
    font: '11px ui-sans-serif, system-ui, sans-serif',
    grid: { stroke: color('borderTopColor'), width: 1 },
    ticks: { show: false },
  }
  return {
    width: Math.max(1, element.clientWidth),
    height,
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: () => spanOf(latest()) },
      y: { range: () => [0, latest().top] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 28,
        values: (_plot, at) => at.map(clockText),
      },
      {
        ...axis,
        size: 64,
        splits: () => [0, latest().top / 2, latest().top],
        values: (_plot, at) => at.map(textOf),
      },
    ],
    series: [
      {},
      { stroke: color('color'), fill: color('caretColor'), width: 1.5, points: { size: 4 } },
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  }
}

/** Returns the times at both ends of the plot. */
function spanOf({ times }: Series): [number, number] {
  const last = times.at(-1) ?? leastSpan
  return [Math.min(times[0] ?? 0, last - leastSpan), last]
}

function clockText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${part(time.getHours())}:${part(time.getMinutes())}`
}
