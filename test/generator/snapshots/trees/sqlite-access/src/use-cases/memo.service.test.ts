import { expect, test } from 'vitest'
import { memoSample, seedMemoRefs } from '../../test/samples/memo.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { seedUser } from '../../test/support/seed-user.js'
import { createMemoBody } from '../handlers/memo.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createMemoService } from './memo.service.js'

const absent = { kind: 'not-found', message: 'memo not found' }

async function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createMemoService({
    repository: repositories.memos,
    orderRepository: repositories.orders,
    now: () => clock.now,
  })
  const caller = await seedUser(repositories)
  const refs = await seedMemoRefs(repositories, caller)
  const draft = (n: number) => camelKeys(createMemoBody.parse(memoSample(n, refs)))
  return { clock, service, draft, caller }
}

test('create sets both times to the current time', async () => {
  const { clock, service, draft, caller } = await setUp()
  expect(await service.create(draft(1), caller)).toMatchObject({
    createdAt: clock.now,
    updatedAt: clock.now,
  })
})

test('update changes the time of the update, not of the creation', async () => {
  const { clock, service, draft, caller } = await setUp()
  const created = await service.create(draft(1), caller)
  clock.now = new Date('2030-01-02T00:00:00.000Z')
  const changes = draft(2)
  const updated = await service.update(created.id, changes, caller)
  expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now })
})

test('find, update and remove throw not-found for an absent memo', async () => {
  const { service, draft, caller } = await setUp()
  await expect(service.find(1, caller)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1), caller)).rejects.toMatchObject(absent)
  await expect(service.remove(1, caller)).rejects.toMatchObject(absent)
})

test('only the author can update and remove the memo', async () => {
  const { service, draft, caller } = await setUp()
  const { id } = await service.create(draft(1), caller)
  const other = { id: caller.id + 1, email: 'eve@example.com', role: 'user' as const }
  const refused = { kind: 'not-found' }
  await expect(service.update(id, draft(2), other)).rejects.toMatchObject(refused)
  await expect(service.remove(id, other)).rejects.toMatchObject(refused)
  expect(await service.find(id, caller)).toMatchObject({ authorId: caller.id })
})
