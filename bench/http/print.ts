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
  /** Key of the app that is the base of the ratios. */
  readonly baseKey: string
  readonly wal: boolean
  readonly effort: Effort
  /** The noun for `effort.rows`, for example `posts`. */
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
      'the journal modes differ, so write results compare disk settings too; --wal gives all apps the same mode\n',
    )
  }
}

/** `base` names the base of the ratios if there are several. */
export function printVerdicts(results: readonly Verdict[], target: number, base = ''): void {
  for (const { what, ratio, met } of results) {
    console.log(
      `${met ? 'met   ' : 'MISSED'}  ${what}: ${formatRatio(ratio)}${base}, target ${target}`,
    )
  }
}

export function printMissing(missing: readonly App[]): void {
  for (const { title, folder } of missing) console.error(`not measured: ${title}: no ${folder}`)
}
