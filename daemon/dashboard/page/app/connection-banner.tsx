import type { JSX } from 'preact'
import { Icon } from '../components/icon.tsx'
import { connection } from '../state/connection.ts'
import { absoluteText } from '../text/format.ts'

/** Says that the page is stale, because the daemon does not answer. */
export function ConnectionBanner(): JSX.Element {
  const current = connection.value
  return (
    <div class="banner-place" role="status">
      {current.kind === 'lost' && (
        <p class="banner">
          <Icon name="warning" />
          <span>
            The daemon does not answer. The page shows the state of{' '}
            <time
              dateTime={new Date(current.since).toISOString()}
              title={absoluteText(current.since)}
            >
              {new Date(current.since).toLocaleTimeString()}
            </time>{' '}
            and tries again every few seconds.
          </span>
        </p>
      )}
    </div>
  )
}
