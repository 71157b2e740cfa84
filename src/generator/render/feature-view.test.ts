import { expect, test } from 'vitest'
import { entityNames } from '../model/names.ts'
import { parseFieldList } from '../spec/field-list.ts'
import { featureView } from './feature-view.ts'

const viewOf = (fields: string, entity = 'Post') =>
  featureView({ entity: entityNames(entity), fields: parseFieldList(fields) })

test('a schema imports the helpers that its fields need, each once', () => {
  expect(viewOf('a:string,b:text,c:int,d:bool,e:enum(x),f:datetime').fieldHelpers).toBe(
    'dateTime, integer, text',
  )
  expect(viewOf('a:bool,b:enum(x|y)').fieldHelpers).toBe('')
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
    converts: false,
    domainRow: 'row',
    createData: 'data',
    storeHelpers: 'newestFirst, run, runOnExisting, skipTake',
  })
  expect(viewOf('price:decimal(8,2),born:date:optional,state:enum(x),meta:json')).toMatchObject({
    converts: true,
    domainRow: 'toDomain(row)',
    createData: 'data: { ...data, born: toDay(data.born), meta: toJson(data.meta) }',
    rowConversions:
      "price: row.price.toFixed(2), born: row.born && fromDay(row.born), state: row.state as Post['state']",
  })
})

test('a name that is taken gets another type and variable, and keeps its words', () => {
  expect(viewOf('a:int', 'Error')).toMatchObject({ type: 'ErrorRecord', accessor: 'errorRecord' })
  expect(viewOf('a:int', 'Class')).toMatchObject({ subject: 'classRecord', pascal: 'Class' })
})
