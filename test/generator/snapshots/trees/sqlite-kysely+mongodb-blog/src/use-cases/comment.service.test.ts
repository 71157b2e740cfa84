import { expect, test } from 'vitest'
import { commentSample, seedCommentRefs } from '../../test/samples/comment.sample.js'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createCommentBody } from '../handlers/comment.schema.js'
import { camelKeys } from '../http/camel-keys.js'
import { createCommentService } from './comment.service.js'

const absent = { kind: 'not-found', message: 'comment not found' }

async function setUp() {
  const clock = { now: new Date('2030-01-01T00:00:00.000Z') }
  const repositories = createMemoryRepositories()
  const service = createCommentService({
    repository: repositories.comments,
    now: () => clock.now,
  })
  const refs = await seedCommentRefs(repositories)
  const caller = refs.user
  const draft = (n: number) => camelKeys(createCommentBody.parse(commentSample(n, refs)))
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
  const { postId: _postId, ...changes } = draft(2)
  const updated = await service.update(created.id, changes, caller)
  expect(updated).toEqual({ ...created, ...changes, updatedAt: clock.now })
})

test('find, update and remove throw not-found for an absent comment', async () => {
  const { service, draft, caller } = await setUp()
  await expect(service.find(1)).rejects.toMatchObject(absent)
  await expect(service.update(1, draft(1), caller)).rejects.toMatchObject(absent)
  await expect(service.remove(1, caller)).rejects.toMatchObject(absent)
})

test('only the author can update and remove the comment', async () => {
  const { service, draft, caller } = await setUp()
  const { id } = await service.create(draft(1), caller)
  const other = { id: caller.id + 1, email: 'eve@example.com', role: 'user' as const }
  const refused = { kind: 'forbidden' }
  await expect(service.update(id, draft(2), other)).rejects.toMatchObject(refused)
  await expect(service.remove(id, other)).rejects.toMatchObject(refused)
  expect(await service.find(id)).toMatchObject({ authorId: caller.id })
})
