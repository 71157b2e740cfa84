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

test('a schema imports the helpers that its fields need, each once', () => {
  expect(helpersOf('a:string,b:text,c:int,d:bool,e:enum(x),f:datetime')).toBe(
    'dateTime, integer, text',
  )
  expect(helpersOf('a:bool,b:enum(x|y)')).toBe('')
})

test('a schema imports the values of its enums beside the type', () => {
  expect(viewOf('a:int').domainImports).toBe('type { Post }')
  expect(viewOf('state:enum(x|y),mood:enum(z)').domainImports).toBe(
    '{ postStateValues, postMoodValues, type Post }',
  )
})

test('a sample names its number where it uses it', () => {
  expect(viewOf('a:int').sampleUsesN).toBe(true)
  expect(viewOf('a:enum(x|y)').sampleUsesN).toBe(false)
  expect(viewOf('a:enum(n|y)').sampleUsesN).toBe(false)
})

test('a body that creates gets the defaults, by name', () => {
  expect(viewOf('a:int,b:int:default=1,c:text:optional').createShape).toBe(
    '...fields, b: fields.b.default(1), c: fields.c.default(null)',
  )
})

test('what a column keeps in another form is converted both ways, and nothing else is', () => {
  expect(viewOf('a:int')).toMatchObject({
    conversions: [],
    domainRow: 'row',
    createArguments: 'data',
    storeHelpers: 'newestFirst, run, runOnExisting, skipTake',
  })
  expect(viewOf('price:decimal(8,2),born:date:optional,state:enum(x),meta:json')).toMatchObject({
    domainRow: 'toDomain(row)',
    createArguments: 'data: { ...data, born: toDay(data.born), meta: toJson(data.meta) }',
    conversions: [
      {
        name: 'toDomain',
        properties:
          "...row, price: row.price.toFixed(2), born: row.born && fromDay(row.born), state: row.state as Post['state']",
      },
    ],
  })
})

test('a name that is taken gets another type and variable, and keeps its words', () => {
  expect(viewOf('a:int', 'Error')).toMatchObject({ type: 'ErrorRecord', accessor: 'errorRecord' })
  expect(viewOf('a:int', 'Class')).toMatchObject({ subject: 'classRecord', pascal: 'Class' })
})
