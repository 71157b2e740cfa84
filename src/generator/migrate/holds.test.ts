import { expect, test } from 'vitest'
import { everything, modelOf } from '../../../test/generator/migrate/support.ts'
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
    'the indexes of User(created_at_id) and User(created_at, id) would both be named users_created_at_id_idx',
  )
})

test.each(['sqlite', 'postgres', 'mysql', 'sqlserver'] as const)('%s holds the rest', (kind) => {
  expect(prismaSchema(everything(kind))).toContain('model BlogPost {')
})
