/**
 * The address of each room of the page. The daemon answers these paths with the page, and the page's table of rooms has
 * one record for each. `:id` stands for a positive whole number.
 */
export const roomPaths = {
  overview: '/',
  projects: '/projects',
  project: '/projects/:id',
  environment: '/environments/:id',
  deploys: '/deploys',
  audit: '/audit',
  secrets: '/secrets',
  nodes: '/nodes',
  tokens: '/tokens',
  trash: '/trash',
  infrastructure: '/infrastructure',
} as const

export type RoomName = keyof typeof roomPaths

export interface Place {
  readonly name: RoomName
  /** The number in the path; 0 for a room without one. */
  readonly id: number
}

/** Returns the room of a path such as `/projects/1`; undefined for other paths. */
export function placeOf(path: string): Place | undefined {
  const given = path.replace(/(?<=.[^/])\/$/, '')
  for (const [name, template] of Object.entries(roomPaths)) {
    const pattern = new RegExp(`^${template.replace(':id', '([1-9]\\d{0,14})')}$`)
    const match = pattern.exec(given)
    // The cast is safe: `name` is a key of `roomPaths`.
    if (match) return { name: name as RoomName, id: Number(match[1] ?? 0) }
  }
  return undefined
}
