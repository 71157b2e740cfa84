import type { JSX } from 'preact'

/** The mark of Strata: three layers. */
export function Logo({ size = 20 }: { size?: number }): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d="m10 1.5 8.5 4.7L10 10.9 1.5 6.200z" />
      <path d="M3.7 9 10 12.5 16.3 9l2.2 1.200L10 14.9 1.5 10.200z" opacity=".7" />
      <path d="M3.7 12.9 10 16.400l6.3-3.5 2.2 1.200L10 18.800l-8.5-4.7z" opacity=".45" />
    </svg>
  )
}
