import { median, pairedRatio, ratioRange } from '../harness/stats.ts'
import { type App, emittedKey } from './app-list.ts'
import type { Measured } from './measure.ts'

/** One line of the table: a metric, and each app's ratio to the base. */
export interface Line {
  readonly what: string
  readonly better: 'more' | 'less'
  readonly ratios: Readonly<Record<string, number>>
  /** Lowest and highest ratio per round. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>
  /** Absolute medians for `--json`: valid for this machine and this run only. */
  readonly medians: Readonly<Record<string, number>>
  readonly unit: string
}

export interface Verdict {
  readonly what: string
  readonly ratio: number
  readonly met: boolean
}

/** Computes the ratios of all apps to the app with key `baseKey`. */
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
      line(`${name} CPU per request`, 'ms', 'less', pick('cpuMsPerRequest')),
    ]
  })
  return [
    ...[' req/s', ' CPU per request', ' p99'].flatMap((kind) =>
      cellLines.filter(({ what }) => what.endsWith(kind)),
    ),
    line('start → first 200', 'ms', 'less', (key) => measured.startMs.get(key) ?? []),
    line('memory after load', 'MiB', 'less', (key) => [measured.residentMb.get(key) ?? Number.NaN]),
  ]
}

/**
 * Compares the emitted app with the target on every line of requests per second. Returns an empty list if the emitted app
 * was not measured.
 */
export function verdicts(lines: readonly Line[], target: number): readonly Verdict[] {
  return lines.flatMap(({ what, better, ratios }) => {
    const ratio = ratios[emittedKey]
    if (better !== 'more' || ratio === undefined) return []
    return [{ what, ratio, met: ratio >= target }]
  })
}
