import type { JSX } from 'preact'

const shapes = {
  overview: 'M3 3h4.500v5H3zM8.5 3H13v3H8.500zM8.5 7.500H13V13H8.500zM3 9.500h4.500V13H3z',
  projects:
    'M2.5 4.500v7.500a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V6a1 1 0 0 0-1-1H8L6.5 3.500h-3a1 1 0 0 0-1 1z',
  deploys: 'M8 2.500v7.500M4.5 6 8 2.5 11.5 6M3 10.500v2a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-2',
  audit: 'M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2.5',
  secrets: 'M6 7.500a3 3 0 1 1 2.3 2.900L7 11.700H5.500v1.500h-3v-2.500l3.7-3.700zM10 5.500h.01',
  nodes: 'M3 3h10v4H3zM3 9h10v4H3zM5.5 5h.01M5.5 11h.01',
  tokens: 'M8 2.5 13 4.500v4c0 3-2.2 4.6-5 5.5-2.8-.9-5-2.5-5-5.500v-4zM6 8l1.5 1.500L10.2 6.5',
  trash: 'M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.5 9h6l.5-9M7 7v4M9 7v4',
  infrastructure: 'M2.5 12.500h11M4 12.500V7l4-3.500L12 7v5.500M7 12.500V9.500h2v3',
  environment:
    'M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.500c2 2 2 9 0 11M8 2.500c-2 2-2 9 0 11',
  branch:
    'M5 5v6M5 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11 6.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11 6.500c0 2.5-2.5 2.5-6 3.5',
  commit: 'M8 10.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 2v3.500M8 10.500V14',
  copy: 'M6 6h7v7.500H6zM10 6V2.500H3V10h3',
  check: 'm3.5 8.5 3 3 6-7',
  cross: 'm4 4 8 8M12 4l-8 8',
  more: 'M3 8h.8M7.6 8h.8M12.2 8h.8',
  menu: 'M2.5 4.500h11M2.5 8h11M2.5 11.500h11',
  external: 'M9.5 3H13v3.500M13 3 7.5 8.500M11 9.500V13H3V5h3.5',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.500L13 6M13 2.500V6H9.5',
  pause: 'M5.5 3.500v9M10.5 3.500v9',
  play: 'M5 3.500v9l7-4.500z',
  rollback: 'M3 6.500h6.500a3.5 3.5 0 0 1 0 7H6M5.5 4 3 6.5 5.5 9',
  moon: 'M13 9.500A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.500z',
  sun: 'M8 10.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.500v1.500M8 13v1.500M1.5 8H3M13 8h1.500M3.4 3.400l1.1 1.100M11.5 11.500l1.1 1.100M3.4 12.600l1.1-1.100M11.5 4.500l1.1-1.1',
  system: 'M2.5 3.500h11v7.500h-11zM6 13.500h4M8 11v2.5',
  warning: 'M8 2.5 14 13H2zM8 6.500v3M8 11.300h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.500v3.500M8 5h.01',
  search: 'M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 13.5 13.5',
  settings:
    'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 6.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6 12.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  signOut: 'M9.5 11v2H3V3h6.500v2M6.5 8H14M11.5 5.5 14 8l-2.5 2.5',
  down: 'm4 6 4 4 4-4',
  download: 'M8 2.500v7.500M4.5 6.500 8 10l3.5-3.500M3 13h10',
  up: 'm4 10 4-4 4 4',
  wrap: 'M2.5 4h11M2.5 8h8.500a2.2 2.2 0 0 1 0 4.400H8M9.500 10.800 8 12.400l1.500 1.600M2.5 12h2.500',
  right: 'm6 4 4 4-4 4',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500V8l2.5 1.5',
  keyboard: 'M1.5 4h13v8h-13zM4 6.500h.01M6.5 6.500h.01M9 6.500h.01M11.5 6.500h.01M5 9.500h6',
} as const

export type IconName = keyof typeof shapes

/** A decorative drawing of 16 × 16 units. The text beside it, or the label of its button, carries the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
