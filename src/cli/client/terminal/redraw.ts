import { truncate } from './table.ts'

interface Screen {
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  write(text: string): unknown
}

/**
 * Returns a function that shows lines on a terminal in place of the lines of its previous call. Shortens lines to the width
 * of the terminal, and omits lines below its height.
 */
export function createRedraw(screen: Screen): (lines: readonly string[]) => void {
  let height = 0
  return (lines) => {
    // A terminal of unknown size reports 0.
    const columns = screen.columns || 80
    const room = Math.max(2, (screen.rows || 24) - 1)
    const hidden = lines.length - room
    const shown = hidden > 0 ? [...lines.slice(0, room - 1), `… ${hidden + 1} more lines`] : lines
    const up = height === 0 ? '' : `\u001b[${height}A\r`
    const text = shown.map((line) => `${truncate(line, columns)}\n`).join('')
    screen.write(`${up}\u001b[J${text}`)
    height = shown.length
  }
}
