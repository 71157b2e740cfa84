import { expect, test } from 'vitest'
import { categorySample } from '../../test/samples/category.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createCategoryBody } from '../handlers/category.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createCategoryService } from './category.service.js'

const draft = (n: number) => camelKeys(createCategoryBody.parse(categorySample(n)))
const absent = { kind: 'not-found', message: 'category not found' }

function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repository = createMemoryRepositories().categories
  return { clock, service: createCategoryService({ repository, now: () => clock.now }) }
}

test('a new category is stamped with the time of its creation', async () => {
  const { clock, service } = setUp()
  expect(await service.create(draft(1))).toMatchObject({
    createdAt: clock.now,
    updatedAt: clock.now,
  })
})

test('an update moves the time of the update alone', async () => {
  const { clock, service } = setUp()
  const created = await service.create(draft(1))
  clock.now = new Date('2030-01-02T00:00:00.000Z')
  const updated = await service.update(created.id, draft(2))
  expect(updated).toEqual({ ...created, ...draft(2), updatedAt: clock.now })
})

test('an absent category is not found', async () => {
  const { service } = setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1))).rejects.toMatchObject(absent)
  await expect(service.remove(1)).rejects.toMatchObject(absent)
})
