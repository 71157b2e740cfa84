import { expect, test } from 'vitest'
import { categorySample } from '../../test/samples/category.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createCategoryBody } from '../handlers/category.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createCategoryService } from './category.service.js'

const absent = { kind: 'not-found', message: 'category not found' }

function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createCategoryService({
    repository: repositories.categories,
    now: () => clock.now,
  })
  const draft = (n: number) => camelKeys(createCategoryBody.parse(categorySample(n)))
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

test('find, update and remove throw not-found for an absent category', async () => {
  const { service, draft } = setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1))).rejects.toMatchObject(absent)
  await expect(service.remove(1)).rejects.toMatchObject(absent)
})
