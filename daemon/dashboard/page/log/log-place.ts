import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { LogSession } from './log-session.ts'
import type { ScrollPlace } from './row-window.ts'

/** Lines between two sequence numbers; `to` is exclusive. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** The position of a reader in a log: the scroll place, the current match, the selected lines. */
export interface LogPlace {
  readonly scroll: ReadonlySignal<ScrollPlace>
  /** The line that the search has moved to. */
  readonly match: ReadonlySignal<number | undefined>
  readonly selection: Signal<LineRange | undefined>
  /** Number of lines that arrived since the reader left the newest line; undefined at the newest line. */
  readonly unseen: ReadonlySignal<number | undefined>
  scrollTo(place: ScrollPlace): void
  /** Moves to the next or the previous match, or to the last one before the newest line. */
  goToMatch(direction: 'next' | 'previous'): void
  search(query: string): void
}

export function createLogPlace(session: LogSession): LogPlace {
  const scroll = signal<ScrollPlace>({ kind: 'tail' })
  const match = signal<number | undefined>(undefined)
  const selection = signal<LineRange | undefined>(undefined)
  const leftAt = signal(0)

  function scrollTo(place: ScrollPlace): void {
    if (scroll.peek().kind === 'tail' && place.kind === 'row') leftAt.value = session.ring().end()
    scroll.value = place
  }

  function showMatch(seq: number | undefined): void {
    match.value = seq
    if (seq !== undefined) scrollTo({ kind: 'row', seq, offset: -linesAboveMatchPx })
  }

  return {
    scroll,
    match,
    selection,
    unseen: computed(() => {
      void session.version.value
      if (scroll.value.kind === 'tail') return undefined
      return Math.max(0, session.ring().end() - leftAt.value)
    }),
    scrollTo,
    goToMatch(direction) {
      const { search } = session
      const from = match.peek() ?? session.ring().end()
      showMatch(direction === 'next' ? search.next(from) : search.previous(from))
    },
    search(query) {
      match.value = undefined
      session.setQuery(query)
    },
  }
}

/** Space above a match that the search has scrolled to, in pixels. */
const linesAboveMatchPx = 120
