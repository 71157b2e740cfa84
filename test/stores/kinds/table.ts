import { hasFailed, type Row } from './report.ts'

const titles = ['kind', 'server', 'tests', 'passed', 'failed', 'skipped', 'own tests', 'time']

/**
 * Returns the result table of a run: a line for each kind, followed by a line for each reason for
 * skipping.
 */
export function tableOf(rows: readonly Row[]): string {
  const lines = [titles, ...rows.map(cellsOf)]
  const widths = titles.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  const laidOut = lines.map((cells) => layOut(cells, widths))
  const [head = '', ...bodies] = laidOut
  const parts = bodies.map((body, at) => [body, ...notesOf(rows[at])])
  return `${[head, ...parts.flat(), '', verdict(rows)].join('\n')}\n`
}

function cellsOf(row: Row): readonly string[] {
  const { kind, server = 'not run on a server', passed, failed, skipped, own, seconds } = row
  const counts = [passed + failed + skipped, passed, failed, skipped, own]
  return [kind, server, ...counts.map(String), `${seconds} s`]
}

/** Aligns words left and numbers right. */
function layOut(cells: readonly string[], widths: readonly number[]): string {
  const laidOut = cells.map((cell, at) => {
    const width = widths[at] ?? 0
    return at < 2 ? cell.padEnd(width) : cell.padStart(width)
  })
  return laidOut.join('  ')
}

function notesOf(row: Row | undefined): readonly string[] {
  if (row === undefined) return []
  const { standIns, reasons, problem } = row
  const passed = standIns.map(([standIn, count]) => `${count} passed on ${standIn}`)
  const notes = reasons.map(([reason, count]) =>
    count === 0 ? reason : `${count} skipped: ${reason}`,
  )
  return [...passed, ...notes, ...(problem === undefined ? [] : [`FAILED: ${problem}`])].map(
    (note) => `    ${note}`,
  )
}

function verdict(rows: readonly Row[]): string {
  const failed = rows.filter(hasFailed).map(({ kind }) => kind)
  const passed = rows.filter((row) => !hasFailed(row) && row.server !== undefined).length
  if (failed.length > 0) return `failed: ${failed.join(', ')}`
  return `${passed} of ${rows.length} kinds ran on a server, and nothing failed`
}
