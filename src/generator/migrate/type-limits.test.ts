import { expect, test } from 'vitest'
import { everything, modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { StrataError } from '../errors.ts'
import type { StoreKind } from '../model/model.ts'
import { migrate } from './diff.ts'
import { prismaSchema } from './prisma-schema.ts'

test.each<[StoreKind, string, string]>([
  [
    'sqlite',
    'price:decimal(16,2)',
    "sqlite can't hold Product.price: decimal(16,2) is more than 15 digits, for it keeps a decimal as an 8-byte float: use fewer digits, or another kind than sqlite",
  ],
  [
    'mysql',
    'price:decimal(38,31)',
    "mysql can't hold Product.price: decimal(38,31) is more than 65 digits and 30 decimals, where its columns end: use fewer digits, or another kind than mysql",
  ],
  [
    'sqlserver',
    'meta:json',
    "sqlserver can't hold Product.meta: Prisma has no json for it; use text, or another kind of store",
  ],
])('%s refuses %s by name', (kind, field, message) => {
  const model = modelOf(kind, { Product: `name:string,${field}` })
  expect(() => prismaSchema(model)).toThrow(new StrataError('usage', message))
  expect(() => migrate(undefined, model)).toThrow(new StrataError('usage', message))
})

test('two indexes of one name are refused', () => {
  const model = modelOf('sqlite', { User: 'created_at_id:int:index' })
  expect(() => prismaSchema(model)).toThrow(
    'the index of User(created_at_id) and the index of User(created_at, id) would both be named users_created_at_id_idx',
  )
})

test.each(['sqlite', 'postgres', 'mysql', 'sqlserver'] as const)('%s holds the rest', (kind) => {
  expect(prismaSchema(everything(kind))).toContain('model BlogPost {')
})

test('two foreign keys of one name are refused', () => {
  const long = 'a'.repeat(50)
  const fields = `${long}_first_id:uint:fk(Tag):unique,${long}_first_2_id:uint:fk(Tag)`
  const model = modelOf('postgres', { Post: fields, Tag: 'a:int' })
  expect(() => migrate(undefined, model)).toThrow(/^the foreign key Post\(.*\) would both be named/)
})

test('a relation whose table no PostgreSQL could hold is refused by every kind', () => {
  const model = modelOf('sqlite', { Post: `a:int,${'a'.repeat(60)}:many(Tag)`, Tag: 'a:int' })
  expect(() => migrate(undefined, model)).toThrow(
    /_posts_a{60}, which has 67 characters, and a PostgreSQL identifier holds 63/,
  )
})

test('a record and a relation back to it of one name are refused', () => {
  const model = modelOf('sqlite', { User: 'posts_by_author:int', Post: 'author_id:uint:fk(User)' })
  expect(() => prismaSchema(model)).toThrow(
    'User would have two members called postsByAuthor in schema.prisma: rename posts_by_author',
  )
})
