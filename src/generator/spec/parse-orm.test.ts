import { expect, test } from 'vitest'
import { storeKinds } from '../model/store-kinds.ts'
import { parseOrm } from './parse-orm.ts'

test('a relational kind without --orm has Prisma, which the model does not name', () => {
  expect(parseOrm(undefined, 'sqlite')).toBeUndefined()
  expect(parseOrm('prisma', 'sqlserver')).toBeUndefined()
})

test('kysely is available for two kinds, and other kinds are refused by name', () => {
  for (const kind of storeKinds) {
    const parse = () => parseOrm('kysely', kind)
    if (kind === 'sqlite' || kind === 'postgres') expect(parse()).toBe('kysely')
    else expect(parse).toThrow(`kysely is available for sqlite and postgres, not for ${kind}`)
  }
})

test('a document kind refuses Prisma, too', () => {
  expect(() => parseOrm('prisma', 'mongodb')).toThrow(
    'prisma is available for sqlite, postgres, mysql and sqlserver, not for mongodb',
  )
})

test('an unknown library is refused with the nearest name', () => {
  expect(() => parseOrm('kysley', 'sqlite')).toThrow(
    'unknown query library "kysley": did you mean kysely? the libraries are prisma and kysely',
  )
})
