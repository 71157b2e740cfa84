import { expect, test } from 'vitest'
import { createFeature, createModel } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldList } from '../spec/field-list.ts'
import { featureView } from './feature-view.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })

const viewOf = (fields: string, entity = 'Post') =>
  featureView(shop, createFeature({ entity: entityNames(entity), ...parseFieldList(fields) }))

const helpersOf = (fields: string) =>
  viewOf(fields).schemaHelpers.find(({ file }) => file === 'fields')?.names ?? ''

test('schemaHelpers lists each helper of the fields once', () => {
  expect(helpersOf('a:string,b:text,c:int,d:bool,e:enum(x),f:datetime')).toBe(
    'dateTime, integer, text',
  )
  expect(helpersOf('a:bool,b:enum(x|y)')).toBe('')
})

test('domainImports includes the values of enums', () => {
  expect(viewOf('a:int').domainImports).toBe('type { Post }')
  expect(viewOf('state:enum(x|y),mood:enum(z)').domainImports).toBe(
    '{ postStateValues, postMoodValues, type Post }',
  )
})

test('sampleNumber has an underscore if no field uses the number', () => {
  expect(viewOf('a:int').sampleNumber).toBe('n')
  expect(viewOf('a:enum(x|y)').sampleNumber).toBe('_n')
  expect(viewOf('a:enum(n|y)').sampleNumber).toBe('_n')
})

test('createShape adds defaults to the fields of a create', () => {
  expect(viewOf('a:int,b:int:default=1,c:text:optional').createShape).toBe(
    '...fields, b: fields.b.default(1), c: fields.c.default(null)',
  )
})

test('featureView converts only columns that the store keeps in another form', () => {
  expect(viewOf('a:int')).toMatchObject({
    hasToDomain: false,
    rowConversions: [],
    writtenColumns: [],
    repositoryHelpers: ['listingOf', 'pageOf', 'run', 'runOnExisting'],
  })
  expect(viewOf('price:decimal(8,2),born:date:optional,state:enum(x),meta:json')).toMatchObject({
    hasToDomain: true,
    rowConversions: [
      { partial: 'prisma/read-decimal', camel: 'price', scale: 2, optional: false },
      { partial: 'prisma/read-date', camel: 'born', optional: true },
      { partial: 'prisma/read-enum', camel: 'state', recordType: 'Post' },
    ],
    writtenColumns: [
      { camel: 'born', helper: 'toDay' },
      { camel: 'meta', helper: 'toJson' },
    ],
  })
})

test('featureView has data for Prisma repositories only if the store uses Prisma', () => {
  const feature = createFeature({ entity: entityNames('Post'), ...parseFieldList('a:int') })
  expect(featureView({ ...shop, database: 'mongodb' }, feature)).not.toHaveProperty('accessor')
})

test('an entity with a reserved name gets another type and variable name', () => {
  expect(viewOf('a:int', 'Error')).toMatchObject({ type: 'ErrorRecord', accessor: 'errorRecord' })
  expect(viewOf('a:int', 'Class')).toMatchObject({ subject: 'classRecord', pascal: 'Class' })
})
