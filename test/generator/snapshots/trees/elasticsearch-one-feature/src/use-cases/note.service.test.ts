import { expect, test } from 'vitest'
import { noteSample } from '../../test/samples/note.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createNoteBody } from '../handlers/note.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createNoteService } from './note.service.js'

const absent = { kind: 'not-found', message: 'note not found' }

function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createNoteService({
    repository: repositories.notes,
    now: () => clock.now,
  })
  const draft = (n: number) => camelKeys(createNoteBody.parse(noteSample(n)))
  return { clock, service, draft }
}

test('create sets both times to the current time', async () => {
  const { clock, service, draft } = setUp()
  expect(await service.create(draft(1))).toMatchObject({
    createdAt: clock.now,
    updatedAt: clock.now,
  })
})

test('update changes the time of the update, not of the creation', async () => {
  const { clock, service, draft } = setUp()
  const created = await service.create(draft(1))
  clock.now = new Date('2030-01-02T00:00:00.000Z')
  const changes = draft(2)
  const updated = await service.update(created.id, changes)
  expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now })
})

test('find, update and remove throw not-found for an absent note', async () => {
  const { service, draft } = setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1))).rejects.toMatchObject(absent)
  await expect(service.remove(1)).rejects.toMatchObject(absent)
})
