import type { JSX } from 'preact'

/** Holds the place of content that is loading. `rows` is the expected number of lines or table rows. */
export function Skeleton({
  rows = 3,
  kind = 'lines',
}: {
  rows?: number
  kind?: 'lines' | 'rows'
}): JSX.Element {
  return (
    <div class={`skeleton skeleton-${kind}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  )
}
