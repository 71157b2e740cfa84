import type { UsageWeek } from '../../../../daemon/client/contract.ts'
import type { CommonOptions } from '../connection/session.ts'
import { findTarget, type TargetOptions } from '../projects/environments.ts'
import { runWithDaemon } from '../run/run-command.ts'
import type { Output } from '../terminal/output.ts'
import { formatBytes } from '../terminal/units.ts'

/** `strata stats <environment>`: requests, errors, latency and use of a branch, for each of the last seven days. */
export function statsOfWeek(
  targetText: string | undefined,
  options: CommonOptions & TargetOptions,
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { environment } = await findTarget(session, targetText, options)
    const { client, output, signal } = session
    const { body } = await client.call(
      'readUsageWeek',
      { params: { id: environment.id } },
      { signal },
    )
    output.result(body, () => dayLines(body, output))
    if (body.slots.length === 0)
      output.note('nothing is measured yet: the first figures need a request')
  })
}

type Slot = UsageWeek['slots'][number]

function dayLines({ slots }: UsageWeek, { table }: Output): string[] {
  const byDay = new Map<string, Slot[]>()
  for (const slot of slots) {
    const day = slot.at.slice(0, 10)
    byDay.set(day, [...(byDay.get(day) ?? []), slot])
  }
  return table(
    ['DAY (UTC)', 'REQUESTS', 'ERRORS', 'WORST P50', 'WORST P95', 'CPU', 'MEMORY'],
    [...byDay].map(([day, all]) => [
      day,
      String(sum(all.map(({ requests }) => requests))),
      String(sum(all.map(({ errors }) => errors))),
      milliseconds(highest(all.map(({ p50_ms }) => p50_ms))),
      milliseconds(highest(all.map(({ p95_ms }) => p95_ms))),
      highest(all.map(({ cpu }) => cpu))?.toFixed(2) ?? '-',
      bytes(highest(all.map(({ memory_bytes }) => memory_bytes))),
    ]),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function highest(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? undefined : Math.max(...known)
}

function milliseconds(value: number | undefined): string {
  return value === undefined ? '-' : `${value} ms`
}

function bytes(value: number | undefined): string {
  return value === undefined ? '-' : formatBytes(value)
}
