import { expect, test } from 'vitest'
import { everything, modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import { StrataError } from '../errors.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { migrate } from './migrate.ts'
import { prismaSchema } from './prisma-schema.ts'

test.each<[StoreKind, string, string]>([
  [
    'sqlite',
    'price:decimal(16,2)',
    "sqlite can't hold Product.price: decimal(16,2) exceeds 15 digits, because it stores a decimal as an 8-byte float: use fewer digits, or another store kind than sqlite",
  ],
  [
    'mysql',
    'price:decimal(38,31)',
    "mysql can't hold Product.price: decimal(38,31) exceeds 65 digits and 30 decimals, the limit of its columns: use fewer digits, or another store kind than mysql",
  ],
  [
    'sqlserver',
    'meta:json',
    "sqlserver can't hold Product.meta: Prisma does not support json on it; use text, or another store kind",
  ],
])('%s refuses the field %s by name', (kind, field, message) => {
  const model = modelOf(kind, { Product: `name:string,${field}` })
  expect(() => prismaSchema(model)).toThrow(new StrataError('usage', message))
  expect(() => migrate(undefined, model)).toThrow(new StrataError('usage', message))
})

test('refuses two indexes of the same name', () => {
  const model = modelOf('sqlite', { User: 'created_at_id:int:index' })
  expect(() => prismaSchema(model)).toThrow(
    'the index of User(created_at_id) and the index of User(created_at, id) would both be named users_created_at_id_idx',
  )
})

test.each(['sqlite', 'postgres', 'mysql', 'sqlserver'] as const)(
  '%s accepts every other field type',
  (kind) => {
    expect(prismaSchema(everything(kind))).toContain('model BlogPost {')
  },
)

test('refuses two foreign keys of the same name', () => {
  const long = 'a'.repeat(50)
  const fields = `${long}_first_id:uint:fk(Tag):unique,${long}_first_2_id:uint:fk(Tag)`
  const model = modelOf('postgres', { Post: fields, Tag: 'a:int' })
  expect(() => migrate(undefined, model)).toThrow(/^the foreign key Post\(.*\) would both be named/)
})

test('every kind refuses a join table whose name is too long for PostgreSQL', () => {
  const model = modelOf('sqlite', { Post: `a:int,${'a'.repeat(60)}:many(Tag)`, Tag: 'a:int' })
  expect(() => migrate(undefined, model)).toThrow(
    /_posts_a{60}, which has 67 characters, and PostgreSQL allows 63/,
  )
})

test('refuses a field with the name of the relation back from another record', () => {
  const model = modelOf('sqlite', { User: 'posts_by_author:int', Post: 'author_id:uint:fk(User)' })
  expect(() => prismaSchema(model)).toThrow(
    'User would have two members named postsByAuthor in schema.prisma: rename posts_by_author',
  )
})
