import type { Environment } from '../../../../daemon/client/contract.ts'
import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import { type DaemonEvent, followEvents } from '../../../../daemon/client/follow-events.ts'
import { openEvents } from '../../../../daemon/client/open-events.ts'
import type { Session } from '../connection/session.ts'
import { createRedraw } from '../terminal/redraw.ts'
import { type ChangeLine, createChangeLines } from './change-lines.ts'

/** A result that `watch` shows again after each change. */
export interface View<Value> {
  read(): Promise<Value>
  toLines(value: Value): readonly string[]
  toJson(value: Value): unknown
  environments(value: Value): readonly Environment[]
  /** Returns the function that formats a changed environment of `value`. */
  toChangeLine(value: Value): ChangeLine
  /** Returns true if the event may change the result. */
  isAffected(event: DaemonEvent): boolean
}

/** Minimum time between two requests for a result. */
const intervalMs = 200
/** Time after which ages such as `3 min ago` are shown anew. */
const agingMs = 5_000

/**
 * Shows a result, and shows it again after each change, until Ctrl-C. Redraws it on a terminal; otherwise prints a line for
 * each changed environment, or with `--json` each result as one line.
 */
export async function watch<Value>(session: Session, view: View<Value>): Promise<void> {
  const { signal, output } = session
  const display = createDisplay(session, view)
  const changes = createSignalBox()
  const following = follow()
  // The loop below throws the error; it may not wait for `following` when the error occurs.
  following.catch(() => {})

  async function follow(): Promise<void> {
    const events = followEvents(openEvents(session.client, signal), {
      signal,
      onDrop: (why) => {
        if (display.isTerminal) display.warn(`(${why}: reconnecting)`)
        else output.note(`(${why}: reconnecting)`)
      },
    })
    for await (const event of events) {
      if (event.event === 'ready' || event.event === 'reset' || view.isAffected(event)) {
        changes.raise()
      }
    }
  }

  const timer = display.isTerminal ? setInterval(display.age, agingMs) : undefined
  try {
    while (!signal.aborted) {
      await Promise.race([changes.next(), following])
      if (signal.aborted) return
      try {
        await display.show(await view.read())
      } catch (error) {
        if (!isTemporary(error)) throw error
        setTimeout(changes.raise, retryMs)
      }
      await Promise.race([new Promise((resolve) => setTimeout(resolve, intervalMs)), following])
    }
  } finally {
    clearInterval(timer)
  }
}

/** Pause before a failed request for a result is repeated. */
const retryMs = 1_000

/** The event stream ends the command if the daemon stays away. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ResponseError) return error.status >= 500 || error.status === 429
  return error instanceof ConnectionError
}

interface Display<Value> {
  readonly isTerminal: boolean
  show(value: Value): Promise<void>
  /** Shows the last result again with current ages. */
  age(): void
  /** Shows a warning below the last result until the next result. */
  warn(text: string): void
}

function createDisplay<Value>({ output }: Session, view: View<Value>): Display<Value> {
  const isTerminal = output.width !== undefined && !output.isJson
  const redraw = createRedraw(process.stdout)
  const changeLines = createChangeLines()
  let last: { value: Value } | undefined
  let warning: string | undefined
  const draw = () => {
    if (last) redraw([...view.toLines(last.value), ...(warning ? ['', warning] : [])])
  }
  return {
    isTerminal,
    async show(value) {
      const isFirst = last === undefined
      last = { value }
      warning = undefined
      if (output.isJson) return output.line(JSON.stringify(view.toJson(value)))
      if (isTerminal) return draw()
      const lines = changeLines(view.environments(value), view.toChangeLine(value))
      for (const line of isFirst ? view.toLines(value) : lines) await output.line(line)
    },
    age: draw,
    warn(text) {
      warning = output.paint('yellow', text)
      draw()
    },
  }
}

/** A signal that is remembered until it is taken. */
function createSignalBox() {
  let isRaised = false
  let wake: (() => void) | undefined
  return {
    raise() {
      isRaised = true
      wake?.()
    },
    async next(): Promise<void> {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      isRaised = false
    },
  }
}
