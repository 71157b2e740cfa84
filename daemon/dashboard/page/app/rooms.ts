import type { ComponentType } from 'preact'
import type { RoomName } from '../../room-paths.ts'
import type { IconName } from '../components/icon.tsx'
import type { Need } from '../state/rights.ts'

/** Props of each room. `id` is the number in its address; 0 for a room without one. */
export interface RoomProps {
  readonly id: number
}

export interface RoomRecord {
  readonly title: string
  /** The entry in the navigation; rooms of one thing have none. */
  readonly nav?: { readonly icon: IconName; readonly group: 'work' | 'daemon' }
  /** The token that the room needs; undefined: any token. */
  readonly needs?: Need
  /** Loads the code of the room when it opens first. */
  readonly load: () => Promise<{ readonly Room: ComponentType<RoomProps> }>
}

/** All rooms in the order of the navigation. Their addresses are in `room-paths.ts`, which the daemon uses too. */
export const rooms: { readonly [Name in RoomName]?: RoomRecord } = {
  overview: {
    title: 'Overview',
    nav: { icon: 'overview', group: 'work' },
    load: () => import('../rooms/overview/room.tsx'),
  },
}
