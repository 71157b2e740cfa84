import type { VNode } from 'preact'
import { absoluteText } from '../text/format.ts'
import { segmentsOf } from './ansi-segments.ts'
import { markMatches } from './highlight.ts'
import type { LogEntry } from './line-ring.ts'
import { timeOfDay } from './plain-text.ts'

export interface RowLook {
  readonly hasTime: boolean
  readonly hasStream: boolean
  /** The pattern of the search. */
  readonly pattern: RegExp | undefined
  /** True for the line that the search has moved to. */
  readonly isCurrent: boolean
  readonly isSelected: boolean
}

/** Draws a line of a log. Every part of its text is a text node: output can't become markup. */
export function drawRow(seq: number, entry: LogEntry, look: RowLook): VNode {
  const { ts, stream } = entry
  const classes = [
    'log-row',
    `log-${stream}`,
    ...(look.isCurrent ? ['log-current'] : []),
    ...(look.isSelected ? ['log-selected'] : []),
  ]
  return (
    <div key={seq} class={classes.join(' ')} data-seq={seq}>
      {(look.hasTime || look.hasStream) && (
        <span class="log-gutter">
          {look.hasTime && (
            <time class="log-time" dateTime={ts} title={absoluteText(Date.parse(ts))}>
              {timeOfDay(ts)}
            </time>
          )}
          {look.hasStream && (
            <span class="log-stream" title={streamTitles[stream]}>
              {streamTexts[stream]}
            </span>
          )}
        </span>
      )}
      <span class="log-text">
        {markMatches(segmentsOf(entry), look.pattern).map(({ text, className, isMatch }, at) =>
          isMatch ? (
            <mark key={at} class={className}>
              {text}
            </mark>
          ) : className === '' ? (
            text
          ) : (
            <span key={at} class={className}>
              {text}
            </span>
          ),
        )}
      </span>
    </div>
  )
}

const streamTexts = { stdout: '', stderr: 'err', build: 'build' }
const streamTitles = { stdout: '', stderr: 'standard error', build: 'build' }
