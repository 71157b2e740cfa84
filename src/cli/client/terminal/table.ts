import { stripVTControlCharacters } from 'node:util'
import type { Paint } from './style.ts'

/**
 * Formats rows under headings, with columns as wide as their widest cell and two spaces between. `width` is the width of
 * the terminal: the last column is truncated to it. Color codes in cells do not count as width.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { paint, width }: { paint: Paint; width?: number | undefined },
): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(visibleLength(heading), ...rows.map((row) => visibleLength(row[column] ?? ''))),
  )
  const toLine = (cells: readonly string[]) => {
    const last = cells.length - 1
    const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0)
    return cells
      .map((cell, column) => {
        if (column < last) return cell + ' '.repeat((widths[column] ?? 0) - visibleLength(cell) + 2)
        return width === undefined ? cell : truncate(cell, Math.max(12, width - before))
      })
      .join('')
      .trimEnd()
  }
  return [paint('dim', toLine(headings)), ...rows.map(toLine)]
}

/** Shortens text to `width` columns with an ellipsis; shortened text loses its colors. */
export function truncate(text: string, width: number): string {
  const plain = stripVTControlCharacters(text)
  const characters = [...plain]
  if (characters.length <= width) return text
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}

function visibleLength(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
