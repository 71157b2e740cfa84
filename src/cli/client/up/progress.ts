import { printable } from '../terminal/printable.ts'
import type { Paint } from '../terminal/style.ts'
import { truncate } from '../terminal/table.ts'
import { formatDuration } from '../terminal/units.ts'
import { type DeployStep, stepText } from './deploy-step.ts'

/** The content of the status line. */
export interface ProgressView {
  readonly title: string
  readonly step: DeployStep
  /** The latest line of the build's output. */
  readonly lastLine: string | undefined
  readonly elapsedMs: number
}

/** Formats the status line of a terminal: step, elapsed time and the last line of the build. */
export function statusLine(
  { title, step, lastLine, elapsedMs }: ProgressView,
  { frame, width, paint }: { frame: number; width: number; paint: Paint },
): string {
  const spinner = frames[frame % frames.length] ?? ''
  const head = `${title}: ${stepText(step)} · ${formatDuration(elapsedMs)}`
  const tail = lastLine === undefined || step.kind !== 'building' ? '' : ` · ${printable(lastLine)}`
  const text = truncate(`${head}${tail}`, Math.max(20, width - 3))
  return `${paint('cyan', spinner)} ${text.slice(0, head.length)}${paint('dim', text.slice(head.length))}`
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export interface Progress {
  step(step: DeployStep): void
  /** Adds a line of the build's output. */
  output(line: string): void
  /** Prints a permanent line above the status line. */
  say(line: string): void
  stop(): void
}

interface Screen {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

/**
 * Shows the progress of a deploy: one status line that is redrawn on a terminal, otherwise one line per step. With
 * `isVerbose`, prints the whole output of the build; without it, only the status line shows the last line.
 */
export function createProgress(options: {
  readonly title: string
  readonly screen: Screen
  readonly paint: Paint
  readonly isVerbose: boolean
  readonly now: () => number
}): Progress {
  const { title, screen, paint, isVerbose, now } = options
  const startedAt = now()
  const isLive = screen.isTTY === true && !isVerbose
  let step: DeployStep = { kind: 'sent' }
  let lastLine: string | undefined
  let shownText = ''
  let frame = 0

  const clear = () => {
    if (isLive) screen.write('\r\u001b[K')
  }
  const draw = () => {
    frame += 1
    const view = { title, step, lastLine, elapsedMs: now() - startedAt }
    screen.write(`\r\u001b[K${statusLine(view, { frame, width: screen.columns || 80, paint })}`)
  }
  const say = (line: string) => {
    clear()
    screen.write(`${line}\n`)
    if (isLive && timer) draw()
  }
  const timer = isLive ? setInterval(draw, 100) : undefined
  timer?.unref()
  if (isLive) draw()

  return {
    step(next) {
      step = next
      const text = stepText(next)
      if (isLive || text === shownText || next.kind === 'sent') return
      shownText = text
      say(`${title}: ${text} (${formatDuration(now() - startedAt)})`)
    },
    output(line) {
      if (isInformative(line)) lastLine = line
      if (isVerbose) say(`${paint('dim', '│')} ${line}`)
    },
    say,
    stop() {
      if (timer) clearInterval(timer)
      clear()
    },
  }
}

/** Skips npm warnings: they concern dependencies, and the last warning would stay visible for minutes. */
function isInformative(line: string): boolean {
  return line.trim() !== '' && !/^npm warn/i.test(line)
}
