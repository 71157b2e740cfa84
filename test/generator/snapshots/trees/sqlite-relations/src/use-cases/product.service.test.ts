import { expect, test } from 'vitest'
import { productSample, seedProductRefs } from '../../test/samples/product.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createProductBody } from '../handlers/product.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createProductService } from './product.service.js'

const absent = { kind: 'not-found', message: 'product not found' }

async function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createProductService({
    repository: repositories.products,
    now: () => clock.now,
  })
  const refs = await seedProductRefs(repositories)
  const draft = (n: number) => camelKeys(createProductBody.parse(productSample(n, refs)))
  return { clock, service, draft }
}

test('create sets both times to the current time', async () => {
  const { clock, service, draft } = await setUp()
  expect(await service.create(draft(1))).toMatchObject({
    createdAt: clock.now,
    updatedAt: clock.now,
  })
})

test('update changes the time of the update, not of the creation', async () => {
  const { clock, service, draft } = await setUp()
  const created = await service.create(draft(1))
  clock.now = new Date('2030-01-02T00:00:00.000Z')
  const { labels: _labels, ...changes } = draft(2)
  const updated = await service.update(created.id, changes)
  expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now })
})

test('find, update and remove throw not-found for an absent product', async () => {
  const { service, draft } = await setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1))).rejects.toMatchObject(absent)
  await expect(service.remove(1)).rejects.toMatchObject(absent)
})
