import { median, pairedRatio, ratioRange } from '../harness/stats.ts'
import { type App, emittedKey } from './app-list.ts'
import type { Measured } from './measure.ts'

/** One line of the table: a thing measured, and each app's ratio to the base. */
export interface Line {
  readonly what: string
  readonly better: 'more' | 'less'
  readonly ratios: Readonly<Record<string, number>>
  /** Lowest and highest of the round-by-round ratios. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>
  /** The medians themselves, for `--json`: true of this machine in this run only. */
  readonly medians: Readonly<Record<string, number>>
  readonly unit: string
}

export interface Verdict {
  readonly what: string
  readonly ratio: number
  readonly met: boolean
}

/** Every app's ratios to the one whose key is `baseKey`. */
export function reportLines(
  apps: readonly App[],
  measured: Measured,
  baseKey: string,
): readonly Line[] {
  const keys = apps.map((app) => app.key)
  const line = (
    what: string,
    unit: string,
    better: Line['better'],
    valuesOf: (key: string) => readonly number[],
  ): Line => {
    const base = valuesOf(baseKey)
    const each = <T>(pick: (values: readonly number[]) => T) =>
      Object.fromEntries(keys.map((key) => [key, pick(valuesOf(key))]))
    return {
      what,
      unit,
      better,
      ratios: each((values) => pairedRatio(values, base)),
      ranges: each((values) => ratioRange(values, base)),
      medians: each(median),
    }
  }
  const cellLines = measured.cells.flatMap(({ scenario, connections, results }) => {
    const name = `${scenario} ×${connections}`
    const pick = (read: 'requestsPerSecond' | 'p99Ms' | 'cpuMsPerRequest') => (key: string) =>
      (results.get(key) ?? []).map((result) => result[read])
    return [
      line(`${name} req/s`, 'req/s', 'more', pick('requestsPerSecond')),
      line(`${name} p99`, 'ms', 'less', pick('p99Ms')),
      line(`${name} CPU a request`, 'ms', 'less', pick('cpuMsPerRequest')),
    ]
  })
  return [
    ...[' req/s', ' CPU a request', ' p99'].flatMap((kind) =>
      cellLines.filter(({ what }) => what.endsWith(kind)),
    ),
    line('start → first 200', 'ms', 'less', (key) => measured.startMs.get(key) ?? []),
    line('memory after load', 'MiB', 'less', (key) => [measured.residentMb.get(key) ?? Number.NaN]),
  ]
}

/**
 * What the emitted app owes, as a multiple of the base's requests a second, checked on every line of
 * those; none when the emitted app was not run.
 */
export function verdicts(lines: readonly Line[], target: number): readonly Verdict[] {
  return lines.flatMap(({ what, better, ratios }) => {
    const ratio = ratios[emittedKey]
    if (better !== 'more' || ratio === undefined) return []
    return [{ what, ratio, met: ratio >= target }]
  })
}
