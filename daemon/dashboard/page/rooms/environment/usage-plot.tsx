import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { theme } from '../../state/theme.ts'
import { isolatedIn, type Series } from './usage-series.ts'

export interface UsagePlotProps {
  readonly series: Series
  /** Color of the second line. */
  readonly secondTone: 'bad' | 'warn'
  /** Says the same in words, for screen readers. */
  readonly label: string
  /** Returns a value with its unit. */
  readonly textOf: (value: number) => string
  /** Called with the sample below the pointer, and with undefined when the pointer leaves. */
  readonly onPoint: (index: number | undefined) => void
}

const height = 148
const defaultSpan = 900

/** One or two lines over time with the limit as the upper end of the scale. */
export function UsagePlot(props: UsagePlotProps): JSX.Element {
  const { series, secondTone, label, textOf, onPoint } = props
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

  return (
    <div ref={place} class={`usage-plot usage-plot-${secondTone}`} role="img" aria-label={label} />
  )
}

function dataOf({ times, values, second }: Series): UPlot.AlignedData {
  return [[...times], [...values], ...(second ? [[...second]] : [])]
}

type ColorProperty =
  | 'color'
  | 'borderTopColor'
  | 'outlineColor'
  | 'caretColor'
  | 'textDecorationColor'

function optionsOf(
  element: HTMLElement,
  textOf: (value: number) => string,
  latest: () => Series,
  onPoint: (index: number | undefined) => void,
): UPlot.Options {
  // A canvas takes no variables of CSS: the element carries the colors of the theme as computed styles.
  const color = (property: ColorProperty) => () => getComputedStyle(element)[property]
  const axis = {
    stroke: color('outlineColor'),
    font: '11px ui-sans-serif, system-ui, sans-serif',
    grid: { stroke: color('borderTopColor'), width: 1 },
    ticks: { show: false },
  }
  // The library hides the points of a dense line, and a value between two gaps would vanish with them.
  const points: UPlot.Series.Points = {
    size: 4,
    filter: (plot, at, isShown) => (isShown ? null : isolatedIn(plot.data[at] ?? [])),
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
        values: (_plot, at) => at.map(isLong(at) ? dayText : clockText),
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
      { stroke: color('color'), fill: color('caretColor'), width: 1.5, points },
      ...(latest().second ? [{ stroke: color('textDecorationColor'), width: 1.5, points }] : []),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
  }
}

/** Returns the times at both ends of the plot. */
function spanOf({ times, leastSpan = defaultSpan }: Series): [number, number] {
  const last = times.at(-1) ?? leastSpan
  const first = Math.min(times[0] ?? 0, last - leastSpan)
  // A margin of 1% keeps the newest point whole.
  return [first, last + (last - first) / 100]
}

/** True if the marks of an axis are so far apart that their days matter more than their hours. */
function isLong(at: readonly number[]): boolean {
  return (at.at(-1) ?? 0) - (at[0] ?? 0) > 36 * 3600
}

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric' })

function dayText(seconds: number): string {
  return dayFormat.format(seconds * 1000)
}

function clockText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${part(time.getHours())}:${part(time.getMinutes())}`
}
