import { stripVTControlCharacters } from 'node:util'
import type { Paint } from './style.ts'

/**
 * Rows under headings, as lines: columns as wide as their widest cell, two spaces between them. `width` cuts the last
 * column, where the terminal's is known. Cells may have colours; they are no part of a cell's width.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { paint, width }: { paint: Paint; width?: number | undefined },
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(lengthOf(heading), ...rows.map((row) => lengthOf(row[column] ?? ''))),
  )
  const toLine = (cells: readonly string[]) => {
    const last = cells.length - 1
    const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0)
    return cells
      .map((cell, column) => {
        if (column < last) return cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell) + 2)
        return width === undefined ? cell : cut(cell, Math.max(12, width - before))
      })
      .join('')
      .trimEnd()
  }
  return [paint('dim', toLine(headings)), ...rows.map(toLine)]
}

/** A text of at most `width` columns; one that is cut loses its colours. */
export function cut(text: string, width: number): string {
  const plain = stripVTControlCharacters(text)
  const marks = [...plain]
  if (marks.length <= width) return text
  return `${marks.slice(0, Math.max(0, width - 1)).join('')}…`
}

function lengthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
