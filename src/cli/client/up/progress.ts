import { printable } from '../terminal/printable.ts'
import type { Paint } from '../terminal/style.ts'
import { cut } from '../terminal/table.ts'
import { lengthOf } from '../terminal/times.ts'
import { type DeployStep, stepText } from './deploy-step.ts'

/** What is shown of a deploy at one moment. */
export interface ProgressView {
  readonly title: string
  readonly step: DeployStep
  /** The newest line of the build's output. */
  readonly lastLine: string | undefined
  readonly elapsedMs: number
}

/** The one line that a terminal shows while it waits: step, time, and where the build is. */
export function statusLine(
  { title, step, lastLine, elapsedMs }: ProgressView,
  { frame, width, paint }: { frame: number; width: number; paint: Paint },
): string {
  const mark = frames[frame % frames.length] ?? ''
  const head = `${title}: ${stepText(step)} · ${lengthOf(elapsedMs)}`
  const tail = lastLine === undefined || step.kind !== 'building' ? '' : ` · ${printable(lastLine)}`
  const text = cut(`${head}${tail}`, Math.max(20, width - 3))
  return `${paint('cyan', mark)} ${text.slice(0, head.length)}${paint('dim', text.slice(head.length))}`
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export interface Progress {
  step(step: DeployStep): void
  /** A line of the build's output. */
  output(line: string): void
  /** A line that stays. */
  say(line: string): void
  stop(): void
}

interface Screen {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

/**
 * Shows a deploy on a stream: one line that changes on a terminal, a line for each new step elsewhere. The build's output
 * is folded into that line, or shown whole with `isVerbose`.
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
  let shown = ''
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
      if (isLive || text === shown || next.kind === 'sent') return
      shown = text
      say(`${title}: ${text} (${lengthOf(now() - startedAt)})`)
    },
    output(line) {
      if (isTelling(line)) lastLine = line
      if (isVerbose) say(`${paint('dim', '│')} ${line}`)
    },
    say,
    stop() {
      if (timer) clearInterval(timer)
      clear()
    },
  }
}

/** What npm warns of is the same for minutes, and about others. */
function isTelling(line: string): boolean {
  return line.trim() !== '' && !/^npm warn/i.test(line)
}
