import type { JSX } from 'preact'
import type { Environment } from '../../../client/contract.ts'
import { stateText } from '../text/state-text.ts'

type State = Environment['state']

const marks: Readonly<Record<State, { tone: string; mark: string }>> = {
  building: { tone: 'accent', mark: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5' },
  running: { tone: 'good', mark: 'm4 8.5 2.8 2.8L12 5.5' },
  paused: { tone: 'rest', mark: 'M6 4.5v7M10 4.5v7' },
  hibernating: { tone: 'rest', mark: 'M12.5 9.3A5 5 0 0 1 6.7 3.5a5 5 0 1 0 5.8 5.8z' },
  build_failed: { tone: 'bad', mark: 'm4.5 4.5 7 7M11.5 4.5l-7 7' },
  destroyed: { tone: 'rest', mark: 'M4 8h8' },
}

/** The state of an environment: a word with a mark, so that no color carries it alone. */
export function StateBadge({ state }: { state: State }): JSX.Element {
  const { tone, mark } = marks[state]
  return <Badge tone={tone} mark={mark} text={stateText(state)} isMoving={state === 'building'} />
}

/** A short word about a state. Use it for states of other things than environments. */
export function Badge({
  tone,
  text,
  mark,
  isMoving = false,
}: {
  tone: string
  text: string
  /** Path of a mark of 16 × 16 units, or `none`. Default: a dot. */
  mark?: string
  isMoving?: boolean
}): JSX.Element {
  return (
    <span class={`badge badge-${tone}${mark === 'none' ? ' badge-plain' : ''}`}>
      {mark !== 'none' && (
        <svg
          class={isMoving ? 'badge-mark moving' : 'badge-mark'}
          viewBox="0 0 16 16"
          width="12"
          height="12"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
          aria-hidden="true"
        >
          <path d={mark ?? 'M8 7.900v.1'} stroke-width={mark === undefined ? 7 : 2} />
        </svg>
      )}
      {text}
    </span>
  )
}
