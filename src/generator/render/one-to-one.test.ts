import { expect, test } from 'vitest'
import { featureOf } from '../../../test/support/generator/memory-project.ts'
import { createModel, withFeature } from '../model/build.ts'
import { entityOf } from '../model/entities.ts'
import { featureView } from './feature-view.ts'

const project = { name: 'shop', module: 'shop', database: 'sqlite', auth: true } as const

test('samples with a unique key refer to a record of their own', () => {
  const { sampleFields, seeds, refsParameters, seedStatements } = viewOf(
    'Profile user_id:uint:fk(User):unique bio:text',
  )
  expect(sampleFields[0]).toEqual({
    name: 'user_id',
    sample: 'refs.users[n % refs.users.length]?.id ?? 0',
  })
  expect(seeds.map(({ key }) => key)).toEqual(['user', 'users'])
  expect(refsParameters).toBe(', count = 100')
  expect(seedStatements).toEqual(['const refs = await seedProfileRefs(repositories, 1)'])
})

test('samples without a unique key share a record', () => {
  const { sampleFields, seeds, refsParameters } = viewOf('Note user_id:uint:fk(User) text:text')
  expect(sampleFields[0]).toEqual({ name: 'user_id', sample: 'refs.user.id' })
  expect(seeds.map(({ key }) => key)).toEqual(['user'])
  expect(refsParameters).toBe('')
})

test('the tests of a feature with a unique owner remove its records, because a user has at most one', () => {
  const wallet = 'Wallet user_id:uint:fk(User):unique coins:uint --owner=user_id'
  expect(viewOf(wallet)).toMatchObject({ cleanUpImport: 'afterEach, ' })
  expect(viewOf(wallet).cleanUp).toContain('resource.remove(id)')
  expect(viewOf(wallet).accessTests.map(({ partial }) => partial)).toEqual(['test/access-owned'])
  expect(viewOf('Note user_id:uint:fk(User) text:text')).toMatchObject({ cleanUp: '' })
})

test('a unique key without a record to refer to is left out of the test of unique values', () => {
  const node = viewOf('Node name:string next_id:uint:fk(Node):unique:optional')
  expect(node.contractOptions).toContain("unset: ['nextId']")
})

function viewOf(line: string) {
  const feature = featureOf(line)
  const model = withFeature(createModel(project), feature)
  return featureView(model, entityOf(model, feature.entity.pascal))
}
