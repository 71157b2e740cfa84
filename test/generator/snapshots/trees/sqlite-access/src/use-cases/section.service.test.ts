import { expect, test } from 'vitest'
import { sectionSample, seedSectionRefs } from '../../test/samples/section.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { seedUser } from '../../test/support/seed-user.js'
import { createSectionBody } from '../handlers/section.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createSectionService } from './section.service.js'

const absent = { kind: 'not-found', message: 'section not found' }

async function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createSectionService({
    repository: repositories.sections,
    reportRepository: repositories.reports,
    now: () => clock.now,
  })
  const caller = await seedUser(repositories)
  const refs = await seedSectionRefs(repositories, caller)
  const draft = (n: number) => camelKeys(createSectionBody.parse(sectionSample(n, refs)))
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

test('find, update and remove throw not-found for an absent section', async () => {
  const { service, draft, caller } = await setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1), caller)).rejects.toMatchObject(absent)
  await expect(service.remove(1, caller)).rejects.toMatchObject(absent)
})
