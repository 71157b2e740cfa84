import { type describeMachine, machineLine } from '../harness/machine.ts'
import { formatRatio, formatTable } from '../harness/table.ts'
import { type Figure, isMet, type Report } from './figure.ts'

/** `before` describes the machine before the measurements. */
export function printReports(
  reports: readonly Report[],
  before: ReturnType<typeof describeMachine>,
): void {
  const figures = reports.flatMap((report) => report.figures)
  const load = before.loadAverage1m
  console.log(`${machineLine()}, ${load.toFixed(2)} before the start`)
  if (load > before.cores / 2) {
    console.log('the machine is busy: ratios and CPU times are more reliable than durations')
  }
  console.log('')
  if (figures.length > 0) {
    const head = ['', 'value', '', 'target', '', 'ratio', 'to', 'of']
    console.log(`${formatTable(head, figures.map(cellsOf))}\n`)
  }
  for (const { title, head, rows } of reports.flatMap(({ tables = [] }) => tables)) {
    const cells = rows.map(({ what, values }) => [what, ...values.map(formatValue)])
    console.log(`${title}\n${formatTable(head, cells)}\n`)
  }
}

function cellsOf(figure: Figure): readonly string[] {
  const { what, value, unit, target, ratio, of = '' } = figure
  const met = isMet(figure)
  return [
    what,
    formatValue(value),
    unit,
    target === undefined
      ? ''
      : 'atMost' in target
        ? `≤ ${formatValue(target.atMost)}`
        : `≥ ${formatValue(target.atLeast)}`,
    met === undefined ? '' : met ? 'met' : 'MISSED',
    formatRatio(ratio?.times).replace(/^-$/, ''),
    ratio?.to ?? '',
    of,
  ]
}

/** Formats a number with about three significant digits. */
function formatValue(value: number): string {
  if (Number.isNaN(value)) return '-'
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3).replace(/\.0+$/, '')
}
