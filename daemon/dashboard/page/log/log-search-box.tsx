import type { JSX, RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { IconButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import type { LogPlace } from './log-place.ts'
import type { LogSession } from './log-session.ts'

export interface LogSearchBoxProps {
  readonly session: LogSession
  readonly place: LogPlace
  readonly input: RefObject<HTMLInputElement | null>
  /** Called when the person leaves the search by Escape. */
  readonly onLeave: () => void
}

/** The search of a log. Enter goes to the next older match, Shift+Enter to the next newer one. */
export function LogSearchBox({ session, place, input, onLeave }: LogSearchBoxProps): JSX.Element {
  const query = session.query.value
  const isSearching = session.isSearching.value
  useEffect(() => {
    // The first search of a text shows its newest match once all lines are searched.
    if (query !== '' && !isSearching && place.match.peek() === undefined) {
      place.goToMatch('previous')
    }
  }, [query, isSearching])
  return (
    <search class="log-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        class="log-search-input"
        value={query}
        placeholder="Search the log"
        aria-label="Search the log"
        aria-keyshortcuts="/"
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => place.search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') place.goToMatch(event.shiftKey ? 'next' : 'previous')
          else if (event.key === 'Escape') {
            place.search('')
            onLeave()
          } else return
          event.preventDefault()
        }}
      />
      {query !== '' && (
        <>
          <MatchCount session={session} place={place} />
          <IconButton icon="up" label="Older match" onClick={() => place.goToMatch('previous')} />
          <IconButton icon="down" label="Newer match" onClick={() => place.goToMatch('next')} />
        </>
      )}
    </search>
  )
}

/** The count changes with a flood of lines, so that a screen reader gets it only when the match changes. */
function MatchCount({ session, place }: Pick<LogSearchBoxProps, 'session' | 'place'>): JSX.Element {
  void session.version.value
  const count = session.search.count()
  const match = place.match.value
  const position = match === undefined ? 0 : session.search.positionOf(match)
  const text = count === 0 ? 'No match' : `${position === 0 ? '–' : position} of ${count}`
  return (
    <output class="log-matches" aria-live={match === undefined && count > 0 ? 'off' : 'polite'}>
      {session.isSearching.value && count === 0 ? 'Searching …' : text}
    </output>
  )
}
