import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Badge } from '../components/state-badge.tsx'
import { asSentence } from '../text/error-text.ts'
import type { LogSession } from './log-session.ts'

/** Says whether lines arrive, and why not. Offers to try again at once while the connection is lost. */
export function LogStatus({ session }: { session: LogSession }): JSX.Element {
  const connection = session.connection.value
  useEffect(() => {
    window.addEventListener('online', session.retryNow)
    return () => window.removeEventListener('online', session.retryNow)
  }, [])
  const { tone, text } = looks[connection.kind]
  return (
    <div class="log-status">
      <span role="status">
        <Badge tone={tone} text={text} />
        {(connection.kind === 'lost' || connection.kind === 'failed') && (
          <bdi class="log-why">{asSentence(connection.why)}</bdi>
        )}
      </span>
      {connection.kind === 'lost' && (
        <button type="button" class="log-link" onClick={session.retryNow}>
          Retry now
        </button>
      )}
    </div>
  )
}

const looks = {
  connecting: { tone: 'rest', text: 'Connecting' },
  live: { tone: 'good', text: 'Live' },
  paused: { tone: 'warn', text: 'Paused' },
  lost: { tone: 'bad', text: 'Connection lost' },
  ended: { tone: 'rest', text: 'Ended' },
  failed: { tone: 'bad', text: 'Not available' },
} as const
