import type { JSX } from 'preact'
import { now } from '../state/clock.ts'
import { absoluteText, relativeText } from '../text/format.ts'

/** A time such as `5 min. ago`, with the absolute one on hover. `at` is an RFC 3339 time. */
export function RelativeTime({ at }: { at: string }): JSX.Element {
  const timeMs = Date.parse(at)
  return (
    <time dateTime={at} title={absoluteText(timeMs)}>
      {relativeText(timeMs, now.value)}
    </time>
  )
}
