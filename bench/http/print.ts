import { machineLine } from '../harness/machine.ts'
import { formatRatio, formatTable } from '../harness/table.ts'
import { type App, emittedKey } from './app-list.ts'
import type { Measured } from './measure.ts'
import type { Line, Verdict } from './report.ts'
import type { Effort } from './scenarios.ts'

export interface Table {
  readonly apps: readonly App[]
  readonly measured: Measured
  readonly lines: readonly Line[]
  /** The app that `lines` are ratios to. */
  readonly baseKey: string
  readonly wal: boolean
  readonly effort: Effort
  /** What `effort.rows` counts. */
  readonly rows: string
}

export function printTable(table: Table): void {
  const { apps, measured, lines, baseKey, wal, effort } = table
  const base = apps.find(({ key }) => key === baseKey)
  console.log(
    `\nratios to ${base?.title}, ${effort.rows} ${table.rows}, median of ${effort.rounds} rounds`,
  )
  console.log(`${machineLine()}\n`)
  for (const { key, title, note } of apps) {
    const settings = wal && key !== emittedKey ? ', synchronous=NORMAL (--wal)' : ''
    console.log(`${key}: ${title}; ${note}; journal: ${measured.journal.get(key)}${settings}`)
  }
  const rows = lines.map(({ what, better, ratios }) => [
    `${what} (${better} is better)`,
    ...apps.map(({ key }) => formatRatio(ratios[key])),
  ])
  console.log(`\n${formatTable(['', ...apps.map(({ key }) => key)], rows)}\n`)
  if (new Set(measured.journal.values()).size > 1) {
    console.log(
      'the journals differ: what writes compares what each sets up; --wal compares the code alone\n',
    )
  }
}

/** `than` names the base, where there is more than one. */
export function printVerdicts(results: readonly Verdict[], target: number, than = ''): void {
  for (const { what, ratio, met } of results) {
    console.log(
      `${met ? 'met   ' : 'MISSED'}  ${what}: ${formatRatio(ratio)}${than}, owed ${target}`,
    )
  }
}

export function printMissing(missing: readonly App[]): void {
  for (const { title, folder } of missing) console.error(`not measured: ${title}: no ${folder}`)
}
