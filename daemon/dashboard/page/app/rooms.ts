import type { ComponentType } from 'preact'
import type { RoomName } from '../../room-paths.ts'
import type { IconName } from '../components/icon.tsx'
import type { Need } from '../state/rights.ts'
import type { RoomProps } from './room-props.ts'

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
  projects: {
    title: 'Projects',
    nav: { icon: 'projects', group: 'work' },
    load: () => import('../rooms/projects/room.tsx'),
  },
  project: {
    title: 'Project',
    load: () => import('../rooms/project/room.tsx'),
  },
  environment: {
    title: 'Environment',
    load: () => import('../rooms/environment/room.tsx'),
  },
  deploys: {
    title: 'Deploys',
    nav: { icon: 'deploys', group: 'work' },
    load: () => import('../rooms/deploys/room.tsx'),
  },
  audit: {
    title: 'Audit',
    nav: { icon: 'audit', group: 'work' },
    load: () => import('../rooms/audit/room.tsx'),
  },
  secrets: {
    title: 'Global secrets',
    nav: { icon: 'secrets', group: 'daemon' },
    needs: { kind: 'all-projects' },
    load: () => import('../rooms/secrets/room.tsx'),
  },
  nodes: {
    title: 'Nodes',
    nav: { icon: 'nodes', group: 'daemon' },
    needs: { kind: 'all-projects' },
    load: () => import('../rooms/nodes/room.tsx'),
  },
  tokens: {
    title: 'Tokens',
    nav: { icon: 'tokens', group: 'daemon' },
    needs: { kind: 'master' },
    load: () => import('../rooms/tokens/room.tsx'),
  },
  trash: {
    title: 'Trash and backups',
    nav: { icon: 'trash', group: 'daemon' },
    load: () => import('../rooms/trash/room.tsx'),
  },
  infrastructure: {
    title: 'Infrastructure',
    nav: { icon: 'infrastructure', group: 'daemon' },
    needs: { kind: 'all-projects' },
    load: () => import('../rooms/infrastructure/room.tsx'),
  },
}
