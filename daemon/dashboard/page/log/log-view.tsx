import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { LogLines } from './log-lines.tsx'
import { createLogPlace, type LogPlace } from './log-place.ts'
import { LogSearchBox } from './log-search-box.tsx'
import {
  createFrameSchedule,
  createLogSession,
  type LogSession,
  type SessionDeps,
} from './log-session.ts'
import { logSettings } from './log-settings.ts'
import { LogStatus } from './log-status.tsx'
import { LogTools } from './log-tools.tsx'

export interface LogViewProps extends Pick<SessionDeps, 'open' | 'start' | 'isWanted'> {
  /** Names the log for screen readers, such as `Log of main`. */
  readonly label: string
  /** Base of the name of a downloaded file. */
  readonly fileName: string
  /** Marks standard error and build output. */
  readonly hasStreams: boolean
  /** Shown while the log has no lines. */
  readonly emptyText: string
}

/** A live log with search, pause and colors. Give it a `key` that changes with the log. */
export function LogView(props: LogViewProps): JSX.Element {
  const [log] = useState(() => {
    const { open, start, isWanted } = props
    const now = () => Date.now()
    const deps = {
      open,
      start,
      schedule: createFrameSchedule(),
      now,
      ...(isWanted && { isWanted }),
    }
    const session = createLogSession(deps)
    return { session, place: createLogPlace(session) }
  })
  useEffect(() => log.session.dispose, [])
  useEffect(() => watchVisibility(log.session.setVisible), [])
  return <ShownLog {...props} {...log} />
}

const hiddenMs = 10_000

/**
 * Tells whether a person sees the tab: at once when it opens or shows, and 10 s after it was hidden. A browser opens only
 * six connections to one host over HTTP/1.1: seven tabs in the background would stop all others. Returns a function that
 * ends the watch.
 */
function watchVisibility(tell: (isVisible: boolean) => void): () => void {
  let hiding: ReturnType<typeof setTimeout> | undefined
  const isVisible = () => document.visibilityState === 'visible'
  const watch = () => {
    clearTimeout(hiding)
    if (isVisible()) tell(true)
    else hiding = setTimeout(tell, hiddenMs, false)
  }
  tell(isVisible())
  document.addEventListener('visibilitychange', watch)
  return () => {
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', watch)
  }
}

function ShownLog({
  session,
  place,
  ...props
}: LogViewProps & { session: LogSession; place: LogPlace }): JSX.Element {
  const search = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  const focusLines = () => panel.current?.querySelector<HTMLElement>('[role="log"]')?.focus()
  void session.version.value
  const ring = session.ring()
  const isEmpty = ring.end() === ring.first()
  const kind = session.connection.value.kind
  return (
    <section ref={panel} class="log" aria-label={props.label}>
      <div class="log-bar">
        <LogStatus session={session} />
        <LogSearchBox session={session} place={place} input={search} onLeave={focusLines} />
        <LogTools session={session} place={place} fileName={props.fileName} />
      </div>
      <div class="log-place">
        <LogLines
          session={session}
          place={place}
          label={props.label}
          isWrapped={logSettings.isWrapped.value}
          hasTimes={logSettings.hasTimes.value}
          hasStreams={props.hasStreams}
          onKey={(event) => handleKey(event, session, place, search.current)}
        />
        {isEmpty && (
          <p class="log-empty">{kind === 'connecting' ? 'Connecting …' : props.emptyText}</p>
        )}
        <JumpButton place={place} onJump={focusLines} />
      </div>
      <LogFooter session={session} place={place} />
    </section>
  )
}

/** Handles a key that the log had. Returns false for keys of the browser, such as the arrows. */
function handleKey(
  event: KeyboardEvent,
  session: LogSession,
  place: LogPlace,
  search: HTMLInputElement | null,
): boolean {
  const isCommand = event.ctrlKey || event.metaKey
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const ring = session.ring()
  const actions: Readonly<Record<string, (() => void) | undefined>> = isCommand
    ? {
        f: () => search?.select(),
        a: () => {
          getSelection()?.removeAllRanges()
          place.selection.value = { from: ring.first(), to: ring.end() }
        },
      }
    : {
        '/': () => search?.select(),
        n: () => place.goToMatch(event.shiftKey ? 'previous' : 'next'),
        p: session.togglePause,
        w: () => logSettings.toggle('isWrapped'),
        t: () => logSettings.toggle('hasTimes'),
        Home: () => place.scrollTo({ kind: 'row', seq: ring.first(), offset: 0 }),
        End: () => place.scrollTo({ kind: 'tail' }),
        Escape: () => {
          place.selection.value = undefined
        },
      }
  const action = event.altKey ? undefined : actions[key]
  if (!action) return false
  action()
  // The keys of the log have precedence over those of the page.
  event.stopPropagation()
  return true
}

function JumpButton({
  place,
  onJump,
}: {
  place: LogPlace
  onJump: () => void
}): JSX.Element | null {
  const unseen = place.unseen.value
  if (unseen === undefined) return null
  return (
    <button
      type="button"
      class="log-jump"
      onClick={() => {
        place.scrollTo({ kind: 'tail' })
        onJump()
      }}
    >
      <Icon name="down" />
      {unseen === 0
        ? 'Newest line'
        : `${countFormat.format(unseen)} new ${unseen === 1 ? 'line' : 'lines'}`}
    </button>
  )
}

const countFormat = new Intl.NumberFormat('en')

/** Says how much of the log is loaded, and offers the rest. */
function LogFooter({ session, place }: { session: LogSession; place: LogPlace }): JSX.Element {
  void session.version.value
  const ring = session.ring()
  const count = ring.end() - ring.first()
  const isWhole = session.isFromStart.value && ring.first() === 0
  const selected = place.selection.value
  return (
    <div class="log-foot">
      <span>
        {isWhole ? '' : 'Newest '}
        {countFormat.format(count)} {count === 1 ? 'line' : 'lines'}
        {selected && `, ${countFormat.format(selected.to - selected.from)} selected`}
      </span>
      {!session.isFromStart.value && (
        <button
          type="button"
          class="log-link"
          onClick={() => {
            session.loadFromStart()
            place.selection.value = undefined
            place.scrollTo({ kind: 'row', seq: 0, offset: 0 })
          }}
        >
          Load from the start
        </button>
      )}
    </div>
  )
}
