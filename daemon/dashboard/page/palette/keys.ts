import type { RoomName } from '../../room-paths.ts'

/** The key of each room, pressed after `g`. */
export const roomKeys: Readonly<Record<string, RoomName>> = {
  o: 'overview',
  p: 'projects',
  d: 'deploys',
  a: 'audit',
  s: 'secrets',
  n: 'nodes',
  t: 'tokens',
  b: 'trash',
  i: 'infrastructure',
}
