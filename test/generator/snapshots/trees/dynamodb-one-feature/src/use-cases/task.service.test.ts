import { expect, test } from 'vitest'
import { taskSample } from '../../test/samples/task.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createTaskBody } from '../handlers/task.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createTaskService } from './task.service.js'

const absent = { kind: 'not-found', message: 'task not found' }

function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createTaskService({
    repository: repositories.tasks,
    now: () => clock.now,
  })
  const draft = (n: number) => camelKeys(createTaskBody.parse(taskSample(n)))
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

test('find, update and remove throw not-found for an absent task', async () => {
  const { service, draft } = setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1))).rejects.toMatchObject(absent)
  await expect(service.remove(1)).rejects.toMatchObject(absent)
})
