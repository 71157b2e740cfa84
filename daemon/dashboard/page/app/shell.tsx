import type { JSX } from 'preact'
import { ErrorState } from '../components/error-state.tsx'
import { Toasts } from '../components/toasts.tsx'
import { Shortcuts } from '../palette/shortcuts.tsx'
import { session, startSession } from '../state/session.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import { RoomView } from './room-view.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole page: sign-in, or the navigation with a room. */
export function Shell(): JSX.Element {
  const current = session.value
  if (current.kind === 'signed-in') {
    return (
      <div class="shell">
        <a class="skip-link" href="#main">
          Skip to content
        </a>
        <Navigation identity={current.identity} setup={current.setup} />
        <div class="content">
          <ConnectionBanner />
          <main id="main" class="main" tabIndex={-1}>
            <RoomView />
          </main>
        </div>
        <Toasts />
        <Shortcuts />
      </div>
    )
  }
  return (
    <main class="threshold">
      {current.kind === 'signed-out' && <SignIn why={current.why} />}
      {current.kind === 'unreachable' && (
        <ErrorState
          title="The daemon does not answer"
          error={current.error}
          onRetry={() => void startSession()}
        />
      )}
    </main>
  )
}
