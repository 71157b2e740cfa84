import { expect, test } from 'vitest'
import { placeOf, roomPaths } from './room-paths.ts'

test.each(Object.entries(roomPaths))('%s has an address of its own: %s', (name, template) => {
  const id = template.includes(':id') ? 7 : 0
  expect(placeOf(template.replace(':id', '7'))).toEqual({ name, id })
})

test.each(['/x', '//', '/projects//', '/projects/0', '/projects/01', '/projects/1/2', '/Projects'])(
  '%s is no address of a room',
  (path) => expect(placeOf(path)).toBeUndefined(),
)
