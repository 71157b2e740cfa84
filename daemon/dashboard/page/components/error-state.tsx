import type { JSX } from 'preact'
import { ResponseError } from '../../../client/errors.ts'
import { errorText } from '../text/error-text.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** Says in one line why something failed, with the request id. For forms and dialogs. */
export function ErrorNote({ error }: { error: unknown }): JSX.Element {
  const { sentence, requestId } = errorText(error)
  return (
    <p class="error-note" role="alert">
      <Icon name="warning" />
      <span>
        <bdi>{sentence}</bdi> {requestId && <RequestId id={requestId} />}
      </span>
    </p>
  )
}

/** Says that a reload failed, so that the content below is stale. The banner says so if the daemon does not answer. */
export function StaleNote({ error }: { error: unknown }): JSX.Element | null {
  return error instanceof ResponseError ? (
    <div class="stale-note">
      <ErrorNote error={error} />
    </div>
  ) : null
}

/** Says why a room or a part of it has no content, and offers to try again. */
export function ErrorState({
  error,
  onRetry,
  title = 'This could not be loaded',
}: {
  error: unknown
  onRetry?: () => void
  title?: string
}): JSX.Element {
  const { sentence, requestId } = errorText(error)
  return (
    <div class="state state-bad" role="alert">
      <Icon name="warning" size={24} />
      <h2>{title}</h2>
      <p>
        <bdi>{sentence}</bdi>
      </p>
      {requestId && (
        <p>
          <RequestId id={requestId} />
        </p>
      )}
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function RequestId({ id }: { id: string }): JSX.Element {
  return (
    <span class="request-id">
      request <code>{id}</code>
    </span>
  )
}
